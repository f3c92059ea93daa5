import { roundTo3, type TimeMs } from '#core/base/units.ts';
import type { LatencySummary } from './latencySummary.ts';
import { middleUsOf } from './buckets.ts';
import { forEachUsed, type Histogram, percentileRank, valueAtRank } from './histogram.ts';

/**
 * Returns the mean and the population standard deviation in microseconds; each time counts as the middle of its bucket. The figures equal those of
 * HdrHistogram, whose iterator takes milliseconds for every refresh of a live view. Both are 0 for an empty histogram.
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

/** Displayed percentiles by their names in a result. 100 is `max`. */
export const SHOWN_PERCENTILES = {
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

/** Clamps the mean to the minimum and maximum. The mean uses the middle of a bucket, which lies beyond them if all times are in one bucket. */
function within(mean: number, histogram: Histogram | undefined): number {
  return histogram === undefined ? mean : Math.min(valueAtRank(histogram, histogram.totalCount), Math.max(histogram.minNonZeroValue, mean));
}

/**
 * Summarizes the times of a histogram (microseconds) in milliseconds with 3 significant digits. `never` is the number of further requests without a time,
 * because they failed or had no response. A percentile that falls on one of those is "never"; the mean is then "never" and the standard deviation unknown.
 * Without requests everything is null.
 */
export function summarize(histogram: Histogram | undefined, never = 0): LatencySummary {
  const timed = histogram?.totalCount ?? 0;
  const count = timed + never;
  const at = (percentile: number): TimeMs => {
    if (count === 0) return null;
    const rank = percentileRank(percentile, count);
    return histogram === undefined || rank > timed ? 'never' : milliseconds(valueAtRank(histogram, rank));
  };
  const extreme = (valueUs: number): TimeMs => (count === 0 ? null : timed === 0 ? 'never' : milliseconds(valueUs));
  const moments = histogram === undefined ? null : momentsUs(histogram);
  return {
    count,
    min: extreme(histogram?.minNonZeroValue ?? 0),
    mean: never > 0 ? 'never' : extreme(within(moments?.mean ?? 0, histogram)),
    stddev: never > 0 || moments === null || timed === 0 ? null : milliseconds(moments.stddev),
    p50: at(SHOWN_PERCENTILES.p50),
    p66: at(SHOWN_PERCENTILES.p66),
    p75: at(SHOWN_PERCENTILES.p75),
    p80: at(SHOWN_PERCENTILES.p80),
    p90: at(SHOWN_PERCENTILES.p90),
    p95: at(SHOWN_PERCENTILES.p95),
    p98: at(SHOWN_PERCENTILES.p98),
    p99: at(SHOWN_PERCENTILES.p99),
    p99_9: at(SHOWN_PERCENTILES.p99_9),
    max: at(100),
  };
}

/** Converts microseconds to milliseconds with 3 significant digits. */
export function milliseconds(valueUs: number): number {
  return roundTo3(valueUs / 1_000);
}
