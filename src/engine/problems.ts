import type { Problem } from '#core/base/errors.ts';
import { formatMs } from '#core/base/units.ts';

/** `part`: the maximum of one of several load generators. */
export function requestLimitReached(maxRequests: number, part: number): Problem {
  return {
    code: 'SAFETY_MAX_REQUESTS',
    message:
      part === maxRequests
        ? `Stopped for safety: ${maxRequests} requests were sent, the maximum of the plan.`
        : `Stopped for safety: ${part} requests were sent by one load generator, its part of the ${maxRequests} that the plan allows.`,
    hint: 'To continue longer, raise the request limit in the plan.',
  };
}

export function timeLimitReached(maxSeconds: number): Problem {
  return {
    code: 'SAFETY_MAX_SECONDS',
    message: `Stopped for safety: the run has lasted ${maxSeconds} s, the maximum of the plan.`,
    hint: 'To continue longer, raise the time limit in the plan. The wait for outstanding responses counts, too.',
  };
}

export function threadSilent(seconds: number): Problem {
  return {
    code: 'WORKER_SILENT',
    message: `A load thread of this computer has not reported for ${seconds} s.`,
    hint: 'Everything measured until then is kept. Probably the computer was suspended or overloaded. Run the test again.',
  };
}

/** Reports that the system clock was set while the load ran. */
export function clockStepWords(stepMs: number): string {
  return `The clock of the load generator was set ${stepMs > 0 ? 'forward' : 'back'} by ${formatMs(Math.abs(stepMs))}. Response times come from another clock and are right; times of day, delays of events and ends of cookies are not.`;
}
