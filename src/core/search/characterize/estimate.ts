import { isFull, isTurningAway, type Alone } from './levels.ts';
import type { UsersReading } from './reading.ts';
import type { Interval } from './schema.ts';

/** Of the normal distribution, two-sided 95 %. */
const Z95 = 1.959_964;
/** Times are told this exactly at best: the way through this machine is part of them. */
const LEAST_MS = 0.25;
/** Shorter times are mostly the way there, and a rate that they are busy for is that of a processor. */
export const LEAST_SERVICE_MS = 5;
/** Quick failures take less than this share of a good answer: nobody has worked on them. */
const QUICK = 0.5;
/** A time limit shows by failures that all take as long: half of them and 19 of 20 within this. */
const PINNED = 1.05;
/** Answers that take no longer than this, by the time of one alone, have not waited. */
const NOT_WAITING = 1.1;
/** Rates of a server that is full may differ by so much. */
const SAME_RATE = 1.15;

/** Mean with its interval, for times that vary independently. */
export function serviceInterval({ meanMs, standardDeviationMs, answers }: Alone): Interval {
  const half = (Z95 * standardDeviationMs) / Math.sqrt(answers) + LEAST_MS;
  return { value: meanMs, low: Math.max(0, meanMs - half), high: meanMs + half };
}

export interface FullLevels {
  /** All that made users wait, or turned them away. */
  readonly full: readonly UsersReading[];
  /** The highest number of users below them who did not wait. */
  readonly free: UsersReading | null;
}

export function fullLevels(readings: readonly UsersReading[], alone: Alone): FullLevels {
  const full = readings.filter((one) => one.users > 1 && isFull(one, alone) && one.ok > 0);
  const least = Math.min(...full.map(({ users }) => users));
  const free = readings.filter(
    (one) => one.users < least && one.failed === 0 && (one.meanMs ?? Number.POSITIVE_INFINITY) <= NOT_WAITING * alone.meanMs,
  );
  return { full, free: free.at(-1) ?? null };
}

/**
 * Workers by Little's law: while all are busy, X answers a second of S seconds each keep X · S of them busy. Runs count by their answers; the relative error is that of the
 * time of an answer and that of the rate, whose count is one off at each end and as irregular as the times are.
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

/** The rate of a full server stays as it is, however many wait. By how much it did not; null of fewer than two runs. */
export function rateRatio(full: readonly UsersReading[]): number | null {
  const rates = full.filter((one) => !isTurningAway(one)).flatMap(({ okPerSecond }) => okPerSecond ?? []);
  return rates.length < 2 ? null : Math.max(...rates) / Math.min(...rates);
}

export function isSameRate(ratio: number): boolean {
  return ratio <= SAME_RATE;
}

/**
 * Where requests are turned away at once, those inside are workers and queue together: by Little's law their number is good answers a second × time of one. The interval is that of
 * the workers, and one more on each side for whoever comes and goes.
 */
export function queueInterval(readings: readonly UsersReading[], alone: Alone, workers: Interval): Interval | null {
  const level = readings.find((one) => isTurningAway(one) && isQuick(one, alone) && one.okPerSecond !== null && one.meanMs !== null);
  if (level === undefined) return null;
  const inside = ((level.okPerSecond ?? 0) * (level.meanMs ?? 0)) / 1_000;
  const length = Math.max(0, Math.round(inside - workers.value));
  const spread = (workers.high - workers.low) / 2 + 1;
  return { value: length, low: Math.max(0, Math.round(length - spread)), high: Math.round(length + spread) };
}

/** Refused, or answered with an error sooner than anybody could have worked on it. */
function isQuick({ refused, errorAnswers, errorP50Ms, failed }: UsersReading, { meanMs }: Alone): boolean {
  const quick = refused + (errorP50Ms !== null && errorP50Ms < QUICK * meanMs ? errorAnswers : 0);
  return quick > failed / 2;
}

/** After which time requests are given up, where the failures say so. */
export function timeoutOf(readings: readonly UsersReading[], alone: Alone): number | null {
  for (const { errorAnswers, errorP50Ms, errorP95Ms } of readings) {
    if (errorAnswers < 3 || errorP50Ms === null || errorP95Ms === null) continue;
    if (errorP50Ms > alone.meanMs && errorP95Ms <= PINNED * errorP50Ms) return errorP50Ms;
  }
  return null;
}
