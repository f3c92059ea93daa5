import { z } from 'zod';
import { roundTo3, type TimeMs } from '#core/base/units.ts';
import { middleUsOf } from './buckets.ts';
import { countAbove, forEachUsed, type Histogram, percentileRank, valueAtRank } from './histogram.ts';

export const timeSchema = z.union([z.number(), z.literal('never'), z.null()]) satisfies z.ZodType<TimeMs>;

export const latencySummarySchema = z.strictObject({
  count: z.int().min(0),
  min: timeSchema,
  mean: timeSchema,
  stddev: timeSchema,
  p50: timeSchema,
  p66: timeSchema,
  p75: timeSchema,
  p80: timeSchema,
  p90: timeSchema,
  p95: timeSchema,
  p98: timeSchema,
  p99: timeSchema,
  p99_9: timeSchema,
  max: timeSchema,
});
export type LatencySummary = z.infer<typeof latencySummarySchema>;

/** Times that have a table column, in the order of the columns. */
export const TABLE_TIMES = ['min', 'mean', 'p50', 'p90', 'p95', 'p99', 'p99_9', 'max'] as const;

/**
 * Returns the mean and the population standard deviation in microseconds. Each time counts as the middle of its bucket. The figures equal
 * those of HdrHistogram, whose iterator takes milliseconds for every refresh of a live view. Both are 0 for an empty histogram.
 */
export function momentsUs(histogram: Histogram): { readonly mean: number; readonly stddev: number } {
  const count = histogram.totalCount;
  if (count === 0) return { mean: 0, stddev: 0 };
  let sum = 0;
  forEachUsed(histogram, (index, times) => {
    sum += times * middleUsOf(index);
  });
  const mean = sum / count;
  let squares = 0;
  forEachUsed(histogram, (index, times) => {
    squares += times * (middleUsOf(index) - mean) ** 2;
  });
  return { mean, stddev: Math.sqrt(squares / count) };
}

/** Percentiles that are displayed, by their names in a result. 100 is `max`. */
const SHOWN_PERCENTILES = {
  p50: 50,
  p66: 66,
  p75: 75,
  p80: 80,
  p90: 90,
  p95: 95,
  p98: 98,
  p99: 99,
  p99_9: 99.9,
} as const;

/**
 * Clamps the mean to the minimum and the maximum. The mean uses the middle of a bucket, which lies outside the two if all times are in one
 * bucket.
 */
function clampToRange(mean: number, histogram: Histogram | undefined): number {
  return histogram === undefined ? mean : Math.min(valueAtRank(histogram, histogram.totalCount), Math.max(histogram.minNonZeroValue, mean));
}

/**
 * Summarizes the times of a histogram (microseconds) in milliseconds with 3 significant digits. `never` is the number of further requests
 * without a time, because they failed or had no response. A percentile that falls on one of those is "never"; the mean is then "never" and
 * the standard deviation unknown. Without requests, everything is null.
 */
export function summarize(histogram: Histogram | undefined, never = 0): LatencySummary {
  const timed = histogram?.totalCount ?? 0;
  const count = timed + never;
  const timeAtPercentile = (percentile: number): TimeMs => {
    if (count === 0) return null;
    const rank = percentileRank(percentile, count);
    return histogram === undefined || rank > timed ? 'never' : milliseconds(valueAtRank(histogram, rank));
  };
  const formatExtreme = (valueUs: number): TimeMs => (count === 0 ? null : timed === 0 ? 'never' : milliseconds(valueUs));
  const moments = histogram === undefined ? null : momentsUs(histogram);
  return {
    count,
    min: formatExtreme(histogram?.minNonZeroValue ?? 0),
    mean: never > 0 ? 'never' : formatExtreme(clampToRange(moments?.mean ?? 0, histogram)),
    stddev: never > 0 || moments === null || timed === 0 ? null : milliseconds(moments.stddev),
    p50: timeAtPercentile(SHOWN_PERCENTILES.p50),
    p66: timeAtPercentile(SHOWN_PERCENTILES.p66),
    p75: timeAtPercentile(SHOWN_PERCENTILES.p75),
    p80: timeAtPercentile(SHOWN_PERCENTILES.p80),
    p90: timeAtPercentile(SHOWN_PERCENTILES.p90),
    p95: timeAtPercentile(SHOWN_PERCENTILES.p95),
    p98: timeAtPercentile(SHOWN_PERCENTILES.p98),
    p99: timeAtPercentile(SHOWN_PERCENTILES.p99),
    p99_9: timeAtPercentile(SHOWN_PERCENTILES.p99_9),
    max: timeAtPercentile(100),
  };
}

/** Converts microseconds to milliseconds with 3 significant digits. */
export function milliseconds(valueUs: number): number {
  return roundTo3(valueUs / 1_000);
}

/**
 * Returns Apdex_T = (satisfied + tolerating / 2) / all requests (Apdex specification 1.1). Satisfied means at most T, and tolerating at
 * most 4 T. Failed requests count as frustrated. Returns null if there are no requests.
 */
export function computeApdex(good: Histogram | undefined, failed: number, thresholdMs: number): number | null {
  const timed = good?.totalCount ?? 0;
  const all = timed + failed;
  if (all === 0) return null;
  const slow = good === undefined ? 0 : countAbove(good, thresholdMs * 1_000) + countAbove(good, 4 * thresholdMs * 1_000);
  return 1 - (slow + 2 * failed) / (2 * all);
}

/** Returns the rating that the Apdex specification gives a value. */
export function rateApdex(apdex: number): string {
  if (apdex < 0.5) return 'Unacceptable';
  if (apdex < 0.7) return 'Poor';
  if (apdex < 0.85) return 'Fair';
  return apdex < 0.94 ? 'Good' : 'Excellent';
}

interface Excess {
  readonly second: number;
  /** Number of violations in the block that begins at this second, minus the number allowed. May be negative. */
  readonly amount: number;
}

/**
 * Returns the second from which a criterion failed: the start of the tail with the largest sum of excess (turning point of a cumulative
 * sum, Page 1954). Blocks must be in order of time. Returns null if there are no blocks.
 */
export function findFailingSecond(blocks: readonly Excess[]): number | null {
  let best: number | null = null;
  let bestSum = 0;
  let sum = 0;
  for (const { second, amount } of blocks.toReversed()) {
    sum += amount;
    if (best === null || sum >= bestSum) {
      best = second;
      bestSum = sum;
    }
  }
  return best;
}
