import type { Point } from '#core/result/schema.ts';
import type { Capacity } from '#core/result/behaviour.ts';

type Second = Pick<Point, 'second' | 'width' | 'started' | 'ok' | 'failed' | 'inFlight' | 'p50'>;

/** Figures of a stage of arrivals. */
export interface CapacityStage {
  readonly fromSecond: number;
  readonly toSecond: number;
  /** Planned rates at its beginning and end. */
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
  /** Median service time of successful responses in ms, which excludes the load generator's schedule lag. */
  readonly p50: number | null;
}

/** Smallest ratio to the unloaded time at which responses wait for others. */
const MIN_WAITING_RATIO = 1.5;
/** Largest ratio of the median to the unloaded time at which the server keeps up. */
const MAX_KEPT_UP_RATIO = 1.25;
/** Smallest ratio of the highest to the lowest rate. */
const MIN_RATE_RATIO = 3;
/** Shorter times consist mostly of network time. */
const MIN_UNLOADED_MS = 20;
const MIN_SECONDS = 4;
const MAX_FAILED_SHARE = 0.05;

/**
 * Estimates the capacity of a server from stages of arrivals; the first stage must be too light for waiting. By Little's law L = X · S: while all workers
 * are busy, X responses per second of S seconds each need X · S workers. Returns null for other loads.
 */
export function capacityOf(stages: readonly CapacityStage[], seconds: readonly Second[]): Capacity | null {
  const [alone] = stages;
  const highestPerSecond = Math.max(0, ...stages.flatMap(({ fromPerSecond, toPerSecond }) => [fromPerSecond, toPerSecond]));
  if (alone === undefined || stages.length < 2 || highestPerSecond < MIN_RATE_RATIO * Math.max(alone.fromPerSecond, alone.toPerSecond))
    return null;
  const loaded = seconds.filter((one) =>
    stages.some(({ fromSecond, toSecond }) => one.second >= fromSecond && one.second + one.width <= toSecond),
  );
  const aloneMs = alone.p50;
  const known = { aloneMs, highestPerSecond, mostInFlight: Math.max(0, ...seconds.map(({ inFlight }) => inFlight)) };
  const none = { saturatedPerSecond: null, workers: null, keptUpPerSecond: null, fellBehindPerSecond: null, isLimited: null };
  if (aloneMs === null) return { ...known, ...none, reason: 'No request succeeded before the load rose.' };
  if (aloneMs < MIN_UNLOADED_MS) return null;
  const sum = (pick: (one: Second) => number): number => loaded.reduce((total, one) => total + pick(one), 0);
  if (sum(({ failed }) => failed) > MAX_FAILED_SHARE * sum(({ started }) => started))
    return { ...known, ...none, reason: 'Too many requests failed: fast failures say nothing about capacity.' };
  const kept = keptUp(stages.slice(1), aloneMs);
  const busy = loaded.filter(({ p50, second }) => second >= alone.toSecond && p50 !== null && p50 > MIN_WAITING_RATIO * aloneMs);
  if (busy.length === 0) return { ...known, ...none, ...kept, isLimited: false, reason: null };
  if (busy.length < MIN_SECONDS)
    return { ...known, ...none, ...kept, reason: 'The server was busy for too few seconds to measure its capacity.' };
  const width = busy.reduce((total, one) => total + one.width, 0);
  const saturatedPerSecond = busy.reduce((total, { ok }) => total + ok, 0) / width;
  return { ...known, saturatedPerSecond, workers: (saturatedPerSecond * aloneMs) / 1_000, ...kept, isLimited: true, reason: null };
}

/** Only stages with a constant rate count. */
function keptUp(stages: readonly CapacityStage[], aloneMs: number): Pick<Capacity, 'keptUpPerSecond' | 'fellBehindPerSecond'> {
  const constant = stages.filter(({ fromPerSecond, toPerSecond }) => fromPerSecond === toPerSecond);
  const behind = constant.filter(({ p50 }) => p50 === null || p50 > MAX_KEPT_UP_RATIO * aloneMs).map(({ toPerSecond }) => toPerSecond);
  const lowestBehind = behind.length === 0 ? null : Math.min(...behind);
  const kept = constant.map(({ toPerSecond }) => toPerSecond).filter((rate) => lowestBehind === null || rate < lowestBehind);
  return { keptUpPerSecond: kept.length === 0 ? null : Math.max(...kept), fellBehindPerSecond: lowestBehind };
}
