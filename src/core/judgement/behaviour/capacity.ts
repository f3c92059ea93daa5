import type { Point } from '#core/result/schema.ts';
import type { Capacity } from '#core/result/behaviour.ts';

type Second = Pick<Point, 'second' | 'width' | 'started' | 'ok' | 'failed' | 'inFlight' | 'p50'>;

/** A stage of arrivals, as it went. */
export interface CapacityStage {
  readonly fromSecond: number;
  readonly toSecond: number;
  /** Planned at its beginning and end. */
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
  /** Median service time of its good answers in ms: how late requests were sent is no time of the server. */
  readonly p50: number | null;
}

/** Answers that take so much longer than alone wait for others. */
const WAITING = 1.5;
/** A stage in which half the answers take at most so much longer than alone is kept up with. */
const KEEPING_UP = 1.25;
/** Rates must differ so much to tell anything. */
const LEAST_RANGE = 3;
/** Shorter times are mostly the way there. */
const LEAST_ALONE_MS = 20;
const LEAST_SECONDS = 4;
const MOST_FAILED = 0.05;

/**
 * What a server of which nothing is known can do, from stages of arrivals of which the first is so light that nothing waits. Workers by Little's law, L = X · S: as long as all
 * are busy, X answers a second of S seconds each keep X · S workers busy. null for loads that are not of this kind.
 */
export function capacityOf(stages: readonly CapacityStage[], seconds: readonly Second[]): Capacity | null {
  const [alone] = stages;
  const highestPerSecond = Math.max(0, ...stages.flatMap(({ fromPerSecond, toPerSecond }) => [fromPerSecond, toPerSecond]));
  if (alone === undefined || stages.length < 2 || highestPerSecond < LEAST_RANGE * Math.max(alone.fromPerSecond, alone.toPerSecond))
    return null;
  const loaded = seconds.filter((one) =>
    stages.some(({ fromSecond, toSecond }) => one.second >= fromSecond && one.second + one.width <= toSecond),
  );
  const aloneMs = alone.p50;
  const known = { aloneMs, highestPerSecond, mostInFlight: Math.max(0, ...seconds.map(({ inFlight }) => inFlight)) };
  const none = { saturatedPerSecond: null, workers: null, keptUpPerSecond: null, fellBehindPerSecond: null, isLimited: null };
  if (aloneMs === null) return { ...known, ...none, reason: 'No request succeeded before the load rose.' };
  if (aloneMs < LEAST_ALONE_MS) return null;
  const sum = (pick: (one: Second) => number): number => loaded.reduce((total, one) => total + pick(one), 0);
  if (sum(({ failed }) => failed) > MOST_FAILED * sum(({ started }) => started))
    return { ...known, ...none, reason: 'Too many requests failed: fast failures say nothing about capacity.' };
  const kept = keptUp(stages.slice(1), aloneMs);
  const busy = loaded.filter(({ p50, second }) => second >= alone.toSecond && p50 !== null && p50 > WAITING * aloneMs);
  if (busy.length === 0) return { ...known, ...none, ...kept, isLimited: false, reason: null };
  if (busy.length < LEAST_SECONDS)
    return { ...known, ...none, ...kept, reason: 'The server was busy for too few seconds to measure its capacity.' };
  const width = busy.reduce((total, one) => total + one.width, 0);
  const saturatedPerSecond = busy.reduce((total, { ok }) => total + ok, 0) / width;
  return { ...known, saturatedPerSecond, workers: (saturatedPerSecond * aloneMs) / 1_000, ...kept, isLimited: true, reason: null };
}

/** Of the stages with a constant rate. */
function keptUp(stages: readonly CapacityStage[], aloneMs: number): Pick<Capacity, 'keptUpPerSecond' | 'fellBehindPerSecond'> {
  const constant = stages.filter(({ fromPerSecond, toPerSecond }) => fromPerSecond === toPerSecond);
  const behind = constant.filter(({ p50 }) => p50 === null || p50 > KEEPING_UP * aloneMs).map(({ toPerSecond }) => toPerSecond);
  const lowestBehind = behind.length === 0 ? null : Math.min(...behind);
  const kept = constant.map(({ toPerSecond }) => toPerSecond).filter((rate) => lowestBehind === null || rate < lowestBehind);
  return { keptUpPerSecond: kept.length === 0 ? null : Math.max(...kept), fellBehindPerSecond: lowestBehind };
}
