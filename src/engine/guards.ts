import type { Safety } from '#core/plan/schema/plan.ts';
import type { Problem } from '#core/base/errors.ts';
import type { Window } from '#core/measurement/window.ts';
import { type Phase, readErrorName } from '#core/base/errorNames.ts';
import { formatCount, formatMs, formatSeconds } from '#core/base/units.ts';
import { countAbove, type Histogram } from '#core/statistics/histogram.ts';
import { addNames } from '#core/base/foreignNames.ts';
import { findMainCause } from '#core/judgement/diagnosis/causes.ts';
import { RESPONDED_OUTCOMES } from '#core/measurement/cellFigures.ts';

const MIN_REQUESTS = 100;

interface Second {
  readonly completed: number;
  readonly failed: number;
  /** Share of failures among the requests that ended in this second; if none ended, the share of the previous second. */
  readonly share: number;
}

/**
 * Watches the share of failed requests: the mean of failed / completed over the last seconds, from the first second with a completed
 * request. Each second has the same weight, because a proxy without servers fails fast: its failures in one second would outnumber the
 * requests of a minute.
 */
class ErrorShareGuard {
  private readonly safety: Safety;
  private readonly recent: Second[] = [];

  constructor(safety: Safety) {
    this.safety = safety;
  }

  /** Returns the problem that must stop the run, or null while the share is within the limit. */
  add(window: Window): Problem | null {
    const { stopAtErrorShare, errorWindowSeconds } = this.safety;
    if (stopAtErrorShare === undefined) return null;
    const { completed: ended, failed: lost } = countOutcomes(window);
    const share = ended > 0 ? lost / ended : this.recent.at(-1)?.share;
    if (share === undefined) return null;
    this.recent.push({ completed: ended, failed: lost, share });
    if (this.recent.length < errorWindowSeconds) return null;
    if (this.recent.length > errorWindowSeconds) this.recent.shift();
    const sumOf = (key: keyof Second): number => this.recent.reduce((sum, second) => sum + second[key], 0);
    const [completed, failed, mean] = [sumOf('completed'), sumOf('failed'), sumOf('share') / this.recent.length];
    if (completed < MIN_REQUESTS || mean <= stopAtErrorShare) return null;
    return {
      code: 'SAFETY_ERROR_SHARE',
      message: `Stopped for safety: ${formatCount(failed)} of ${formatCount(completed)} requests (${percent(failed / completed)}) failed in the last ${formatSeconds(errorWindowSeconds)}${failed > stopAtErrorShare * completed ? '' : `, ${percent(mean)} on average of its seconds`}. The limit is ${percent(stopAtErrorShare)}.`,
      hint: 'See the errors by kind for what failed. Raise or remove the limit only to test failures on purpose.',
    };
  }
}

/** Minimum number of requests for judging a percentile. */
const MIN_TIMED_REQUESTS = 20;

/** Watches how many requests of the last seconds were slower than a limit, or failed. */
class ResponseTimeGuard {
  private readonly limit: NonNullable<Safety['stopAtResponseTime']>;
  private readonly recent: { readonly completed: number; readonly over: number }[] = [];

  constructor(limit: NonNullable<Safety['stopAtResponseTime']>) {
    this.limit = limit;
  }

  add(window: Window): Problem | null {
    const { percentile, maxMs, seconds } = this.limit;
    const { completed: ended, failed } = countOutcomes(window);
    const slow = window.cells.reduce((sum, { times }) => sum + countSlowerThan(times.responseOk ?? times.serviceOk, maxMs), 0);
    this.recent.push({ completed: ended, over: failed + slow });
    if (this.recent.length > seconds) this.recent.shift();
    const completed = this.recent.reduce((sum, second) => sum + second.completed, 0);
    const over = this.recent.reduce((sum, second) => sum + second.over, 0);
    const isWithin = over <= completed * (1 - percentile / 100);
    if (this.recent.length < seconds || completed < MIN_TIMED_REQUESTS || isWithin) return null;
    return {
      code: 'SAFETY_RESPONSE_TIME',
      message: `Stopped: ${formatCount(over)} of ${formatCount(completed)} requests in the last ${formatSeconds(seconds)} (${percent(over / completed)}) took longer than ${formatMs(maxMs)} or failed. p${percentile} is over the limit.`,
      hint: 'Plan less load, or raise safety.stopAtResponseTime.',
    };
  }
}

function countSlowerThan(times: Histogram | undefined, maxMs: number): number {
  return times === undefined ? 0 : countAbove(times, maxMs * 1_000);
}

/** Checks the safety limits of the plan that concern outcomes of requests. */
export class SafetyGuard {
  private readonly errors: ErrorShareGuard;
  private readonly times: ResponseTimeGuard | null;

  constructor(safety: Safety) {
    this.errors = new ErrorShareGuard(safety);
    this.times = safety.stopAtResponseTime === undefined ? null : new ResponseTimeGuard(safety.stopAtResponseTime);
  }

  /** Returns the problem that must stop the run; null while all limits are met. */
  add(window: Window): Problem | null {
    const times = this.times?.add(window) ?? null;
    return this.errors.add(window) ?? times;
  }
}

function countOutcomes(window: Window): { completed: number; failed: number } {
  let completed = 0;
  let ok = 0;
  for (const cell of window.cells) {
    for (const count of Object.values(cell.outcomes)) completed += count;
    ok += cell.outcomes.ok ?? 0;
  }
  return { completed, failed: completed - ok };
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}

const MIN_FAILURES = 50;
/** Minimum time without a response before the run is stopped. A server that is being restarted needs this time. */
const MIN_SECONDS = 5;

/** Stops a run in which no connection has succeeded since its start, so that nobody waits for the end of such a load. */
export class NoResponseGuard {
  private isOver = false;
  private failures: Record<string, number> = {};

  /** Returns the problem that must stop the run, once. Always returns null after the first response. */
  add(window: Window): Problem | null {
    if (this.isOver) return null;
    if (window.cells.some(({ outcomes }) => RESPONDED_OUTCOMES.some((outcome) => (outcomes[outcome] ?? 0) > 0))) {
      this.isOver = true;
      return null;
    }
    this.failures = addNames([this.failures, ...window.cells.map(({ errors }) => connectionFailures(errors))]);
    const failed = Object.values(this.failures).reduce((sum, count) => sum + count, 0);
    const seconds = window.second + window.width;
    if (failed < MIN_FAILURES || seconds < MIN_SECONDS) return null;
    this.isOver = true;
    const { name, sentence, remedy } = findMainCause(this.failures);
    return {
      code: 'SAFETY_NOTHING_ANSWERED',
      message: `Stopped: none of ${formatCount(failed)} connections succeeded in ${formatSeconds(seconds)} (${name}). ${sentence}`,
      hint: remedy,
    };
  }
}

const PHASES_BEFORE_SENDING: ReadonlySet<string | null> = new Set<Phase>(['resolve', 'connect', 'tls']);

/**
 * Returns the errors that occurred before a request could be sent. A server may ask for a client certificate only after the handshake (TLS
 * 1.3).
 */
function connectionFailures(errors: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(errors).filter(([name]) => {
      const { code, phase } = readErrorName(name);
      return PHASES_BEFORE_SENDING.has(phase) || /^ERR_(SSL|TLS)_/.test(code);
    }),
  );
}

/** Returns the problem of a reached request limit. `part` is the maximum of this load generator if there are several. */
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

/** Returns a sentence about the time by which the system clock was set while the load ran. */
export function formatClockStep(stepMs: number): string {
  return `The clock of the load generator was set ${stepMs > 0 ? 'forward' : 'back'} by ${formatMs(Math.abs(stepMs))}. Response times come from another clock and are right; times of day, delays of events and ends of cookies are not.`;
}
