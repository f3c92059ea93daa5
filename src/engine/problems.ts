import type { Problem } from '#core/base/errors.ts';

/** `part`: how many of them may be sent from one of several places. */
export function requestLimitReached(maxRequests: number, part: number): Problem {
  return {
    code: 'SAFETY_MAX_REQUESTS',
    message:
      part === maxRequests
        ? `Stopped for safety: ${maxRequests} requests were sent, the most that the plan allows.`
        : `Stopped for safety: ${part} requests were sent from one place, its part of the ${maxRequests} that the plan allows.`,
    hint: 'Raise the limit of requests in the plan if the load should go on.',
  };
}

export function timeLimitReached(maxSeconds: number): Problem {
  return {
    code: 'SAFETY_MAX_SECONDS',
    message: `Stopped for safety: the run has lasted ${maxSeconds} s, the longest that the plan allows.`,
    hint: 'Raise the time limit in the plan if the load should go on. Waiting for the last answers counts too.',
  };
}

export function threadSilent(seconds: number): Problem {
  return {
    code: 'WORKER_SILENT',
    message: `A load thread of this computer has not been heard of for ${seconds} s.`,
    hint: 'What it measured until then is kept. The computer may have been suspended or badly overloaded: run again.',
  };
}
