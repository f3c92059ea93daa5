import { percentileOf } from './statistics.ts';

/** Arrivals are counted in windows of this length to find the largest burst. */
export const BURST_WINDOW_MS = 10;

export interface ArrivalAccuracy {
  /** Requests that arrived, of those that were asked for: 1 is all. */
  readonly offeredShare: number;
  /** Standard deviation of the gaps between arrivals ÷ their mean: 0 is a metronome, 1 is chance (Poisson), more is bursts. */
  readonly gapVariation: number;
  /** How far arrivals lay from an even schedule at the rate asked for, whose start is the one that fits best; in milliseconds. */
  readonly deviationP50Ms: number;
  readonly deviationP99Ms: number;
  /** Most arrivals within any {@link BURST_WINDOW_MS}. */
  readonly burst: number;
}

/**
 * How well arrivals kept the schedule of an even rate. `arrivedMs` are instants in ascending order on any clock.
 * Null when fewer than 3 arrived, which have no two gaps to compare.
 *
 * The i-th arrival was due at start + i / rate. No tool tells its start, so it is the median of arrival − i / rate: the start
 * from which half of the arrivals are early and half late, which single stragglers do not move.
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
