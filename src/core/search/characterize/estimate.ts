import { isFull, isTurningAway, type Alone } from './levels.ts';
import type { UsersReading } from './reading.ts';
import type { Interval } from './schema.ts';

/** Two-sided 95 % quantile of the normal distribution. */
const Z95 = 1.959_964;
/** Smallest uncertainty of a time, because the path through this machine is included. */
const MIN_ERROR_MS = 0.25;
/** Smallest service time with a usable rate. Shorter times are mostly network time, and the rate is that of a processor. */
export const MIN_SERVICE_MS = 5;
/** A failure below this share of a successful response is a refusal without work. */
const MAX_QUICK_SHARE = 0.5;
/** Failures show a time-out if their p95 is within this ratio of the median. */
const MAX_TIMEOUT_RATIO = 1.05;
/** Responses up to this multiple of the unloaded time have not waited. */
const MAX_UNLOADED_RATIO = 1.1;
/** Largest ratio of the rates of a saturated server. */
const MAX_RATE_RATIO = 1.15;

/** Returns the mean with its interval, for independent times. */
export function serviceInterval({ meanMs, standardDeviationMs, answers }: Alone): Interval {
  const half = (Z95 * standardDeviationMs) / Math.sqrt(answers) + MIN_ERROR_MS;
  return { value: meanMs, low: Math.max(0, meanMs - half), high: meanMs + half };
}

export interface FullLevels {
  /** Runs in which users waited or were rejected. */
  readonly full: readonly UsersReading[];
  /** The run with the most users below them who did not wait. */
  readonly free: UsersReading | null;
}

export function fullLevels(readings: readonly UsersReading[], alone: Alone): FullLevels {
  const full = readings.filter((one) => one.users > 1 && isFull(one, alone) && one.ok > 0);
  const least = Math.min(...full.map(({ users }) => users));
  const free = readings.filter(
    (one) => one.users < least && one.failed === 0 && (one.meanMs ?? Number.POSITIVE_INFINITY) <= MAX_UNLOADED_RATIO * alone.meanMs,
  );
  return { full, free: free.at(-1) ?? null };
}

/**
 * Estimates the workers by Little's law: while all are busy, X responses per second of S seconds each keep X · S workers busy. Runs are weighted by their
 * responses. The relative error combines that of the time and that of the rate, whose count is off by one at each end and as irregular as the times.
 */
export function workersInterval(full: readonly UsersReading[], alone: Alone): (Interval & { readonly perSecond: number }) | null {
  const usable = full.filter(({ okPerSecond }) => okPerSecond !== null);
  const answers = usable.reduce((sum, { ok }) => sum + ok, 0);
  if (answers === 0) return null;
  const perSecond = usable.reduce((sum, { ok, okPerSecond }) => sum + ok * (okPerSecond ?? 0), 0) / answers;
  const measured = (perSecond * alone.meanMs) / 1_000;
  const service = serviceInterval(alone);
  const variation = alone.standardDeviationMs / alone.meanMs;
  const relative = Math.hypot((service.high - service.low) / 2 / service.value, (Z95 * variation) / Math.sqrt(answers) + 2 / answers);
  return {
    value: Math.max(1, Math.round(measured)),
    low: Math.max(1, Math.round(measured * (1 - relative))),
    high: Math.max(1, Math.round(measured * (1 + relative))),
    perSecond,
  };
}

/** Ratio of the highest to the lowest rate of a saturated server, which stays constant; null for fewer than two runs. */
export function rateRatio(full: readonly UsersReading[]): number | null {
  const rates = full.filter((one) => !isTurningAway(one)).flatMap(({ okPerSecond }) => okPerSecond ?? []);
  return rates.length < 2 ? null : Math.max(...rates) / Math.min(...rates);
}

export function isSameRate(ratio: number): boolean {
  return ratio <= MAX_RATE_RATIO;
}

/**
 * Estimates the queue's length if requests are rejected at once: the number inside is throughput × response time (Little's law), minus the workers. The
 * interval is that of the workers, plus one on each side.
 */
export function queueInterval(readings: readonly UsersReading[], alone: Alone, workers: Interval): Interval | null {
  const level = readings.find((one) => isTurningAway(one) && isQuick(one, alone) && one.okPerSecond !== null && one.meanMs !== null);
  if (level === undefined) return null;
  const inside = ((level.okPerSecond ?? 0) * (level.meanMs ?? 0)) / 1_000;
  const length = Math.max(0, Math.round(inside - workers.value));
  const spread = (workers.high - workers.low) / 2 + 1;
  return { value: length, low: Math.max(0, Math.round(length - spread)), high: Math.round(length + spread) };
}

/** Returns whether most failures were refusals, or errors quicker than any work. */
function isQuick({ refused, errorAnswers, errorP50Ms, failed }: UsersReading, { meanMs }: Alone): boolean {
  const quick = refused + (errorP50Ms !== null && errorP50Ms < MAX_QUICK_SHARE * meanMs ? errorAnswers : 0);
  return quick > failed / 2;
}

/** Returns the time-out if the failures show one. */
export function timeoutOf(readings: readonly UsersReading[], alone: Alone): number | null {
  for (const { errorAnswers, errorP50Ms, errorP95Ms } of readings) {
    if (errorAnswers < 3 || errorP50Ms === null || errorP95Ms === null) continue;
    if (errorP50Ms > alone.meanMs && errorP95Ms <= MAX_TIMEOUT_RATIO * errorP50Ms) return errorP50Ms;
  }
  return null;
}
