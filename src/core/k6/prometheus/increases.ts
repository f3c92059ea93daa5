import type { PromBucket, PromHistogram, PromSeries } from './answer.ts';

/** By how much a counter grew, and until when. k6 counts from 0, so the first sample is an increase too. */
export interface Increase {
  readonly at: number;
  readonly by: number;
}

export function increasesOf({ samples }: Pick<PromSeries, 'samples'>): Increase[] {
  let before = 0;
  return samples.flatMap(({ at, value }) => {
    // A counter that falls has begun anew.
    const by = value < before ? value : value - before;
    before = value;
    return by > 0 ? [{ at, by }] : [];
  });
}

/** What came into the buckets of a histogram, and until when. */
export interface HistogramIncrease {
  readonly at: number;
  readonly buckets: readonly PromBucket[];
}

export function histogramIncreasesOf({ histograms }: Pick<PromSeries, 'histograms'>): HistogramIncrease[] {
  let before: PromHistogram | null = null;
  return histograms.map((histogram) => {
    const known = before === null || histogram.count < before.count ? [] : before.buckets;
    before = histogram;
    return { at: histogram.at, buckets: without(histogram.buckets, known) };
  });
}

/** Buckets may have become wider since: what was counted then is in the one that its middle lies in. */
function without(buckets: readonly PromBucket[], earlier: readonly PromBucket[]): PromBucket[] {
  const left = buckets.map(({ count }) => count);
  for (const bucket of earlier) {
    const middle = middleOf(bucket);
    const index = buckets.findIndex(({ lower, upper }) => middle > lower && middle <= upper);
    if (index >= 0) left[index] = (left[index] ?? 0) - bucket.count;
  }
  return buckets.flatMap((bucket, index) => {
    const count = Math.round(left[index] ?? 0);
    return count > 0 ? [{ ...bucket, count }] : [];
  });
}

/** What stands for the values of a bucket: its geometric middle, which is as far from both ends; 0 of the bucket of zeros. */
export function middleOf({ lower, upper }: Pick<PromBucket, 'lower' | 'upper'>): number {
  return lower <= 0 ? 0 : Math.sqrt(lower * upper);
}
