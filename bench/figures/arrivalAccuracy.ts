import { percentileOf } from './statistics.ts';

/** Length of the time window for which the largest burst is determined. */
export const BURST_WINDOW_MS = 10;

export interface ArrivalAccuracy {
  /** Number of arrivals divided by the planned number; 1 means all. */
  readonly offeredShare: number;
  /**
   * Standard deviation of the gaps between arrivals, divided by the mean gap. 0 is perfectly even, 1 is random (Poisson), and more means
   * bursts.
   */
  readonly gapVariation: number;
  /**
   * Deviation of arrivals, in ms, from an even schedule at the requested rate. The start of the schedule is chosen so that it fits best.
   */
  readonly deviationP50Ms: number;
  readonly deviationP99Ms: number;
  /** Maximum number of arrivals within {@link BURST_WINDOW_MS}. */
  readonly burst: number;
}

/**
 * Measures how even the rate of arrivals was. `arrivedMs` has the times in ascending order on any clock. Returns null for fewer than 3
 * arrivals. Arrival i was due at start + i / rate. No tool reports its start, so the start is taken as the median of arrival − i / rate.
 * Half of the arrivals are then early and half late, and single stragglers have no effect.
 */
export function arrivalAccuracy(arrivedMs: Float64Array, perSecond: number, seconds: number): ArrivalAccuracy | null {
  const count = arrivedMs.length;
  const [first, last] = [arrivedMs[0], arrivedMs.at(-1)];
  if (count < 3 || first === undefined || last === undefined) return null;
  const meanGap = (last - first) / (count - 1);
  let squares = 0;
  for (let index = 1; index < count; index += 1) squares += ((arrivedMs[index] ?? 0) - (arrivedMs[index - 1] ?? 0) - meanGap) ** 2;
  const starts = arrivedMs.map((instant, index) => instant - (index * 1_000) / perSecond);
  const start = percentileOf(starts.toSorted(), 50);
  const deviations = starts.map((each) => Math.abs(each - start)).sort();
  return {
    offeredShare: count / (perSecond * seconds),
    gapVariation: Math.sqrt(squares / (count - 1)) / meanGap,
    deviationP50Ms: percentileOf(deviations, 50),
    deviationP99Ms: percentileOf(deviations, 99),
    burst: largestBurst(arrivedMs),
  };
}

function largestBurst(arrivedMs: Float64Array): number {
  let largest = 0;
  let from = 0;
  for (let to = 0; to < arrivedMs.length; to += 1) {
    while ((arrivedMs[to] ?? 0) - (arrivedMs[from] ?? 0) >= BURST_WINDOW_MS) from += 1;
    largest = Math.max(largest, to - from + 1);
  }
  return largest;
}
