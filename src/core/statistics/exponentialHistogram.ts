import { middleUsOf } from './buckets.ts';
import { forEachUsed, type Histogram } from './histogram.ts';

/**
 * Times in seconds, in buckets that grow by a constant factor, as in OpenTelemetry. Bucket i of scale s holds base^(offset + i) < time ≤
 * base^(offset + i + 1) with base = 2^(2^−s).
 */
export interface ExponentialHistogram {
  readonly scale: number;
  /** Index of the first bucket. */
  readonly offset: number;
  readonly counts: readonly number[];
  readonly count: number;
  /** Sum of the middles of the recorded buckets, exact to 0.05 %. */
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** Maximum scale, at which buckets are 0.27 % wide. Prometheus has no finer buckets. */
const MAX_SCALE = 8;
/** Maximum number of buckets. With 320, times from 1 ms to 1 s have buckets 2.2 % wide, and times from 1 ms to 1 h buckets 9 % wide. */
const MAX_BUCKETS = 320;
const US_PER_SECOND = 1_000_000;

/**
 * Returns the same times in exponential buckets of the largest scale that needs at most 320 buckets; null if there are no times. Counts are
 * equal. Each recorded bucket is at most 0.1 % wide and is counted at its middle.
 */
export function toExponential(histogram: Histogram): ExponentialHistogram | null {
  if (histogram.totalCount === 0) return null;
  const middles: [seconds: number, count: number][] = [];
  forEachUsed(histogram, (bucket, count) => middles.push([middleUsOf(bucket) / US_PER_SECOND, count]));
  const [lowest = 0, highest = 0] = [middles[0]?.[0], middles.at(-1)?.[0]];
  let scale = MAX_SCALE;
  while (findIndex(highest, scale) - findIndex(lowest, scale) >= MAX_BUCKETS) scale -= 1;
  const offset = findIndex(lowest, scale);
  const counts = Array.from({ length: findIndex(highest, scale) - offset + 1 }, () => 0);
  let sum = 0;
  for (const [seconds, count] of middles) {
    const index = findIndex(seconds, scale) - offset;
    counts[index] = (counts[index] ?? 0) + count;
    sum += seconds * count;
  }
  const [min, max] = [histogram.minNonZeroValue / US_PER_SECOND, histogram.maxValue / US_PER_SECOND];
  return { scale, offset, counts, count: histogram.totalCount, sum, min, max };
}

/** Returns the bucket of a time: the largest index with base^index < seconds. */
function findIndex(seconds: number, scale: number): number {
  return Math.ceil(Math.log2(seconds) * 2 ** scale) - 1;
}
