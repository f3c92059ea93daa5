import { Int32Histogram } from 'hdr-histogram-js';

/** Times are counted from 1 µs to 1 h. */
export const LOWEST_US = 1;
export const HIGHEST_US = 3_600_000_000;
export const SIGNIFICANT_DIGITS = 3;
/** A new histogram reaches this far and grows by itself: most never see a second, and one that reaches 1 h takes 94 kB. */
export const FIRST_HIGHEST_US = 1_048_575;

/** For what the library knows of buckets, whatever is in them. */
export const SHAPE = new Int32Histogram(LOWEST_US, HIGHEST_US, SIGNIFICANT_DIGITS);

/** What the library's countsArrayIndex says, for whole microseconds up to {@link HIGHEST_US}. */
export function bucketOf(valueUs: number): number {
  const shift = Math.max(0, 21 - Math.clz32(valueUs));
  return shift * 1_024 + (valueUs >>> shift);
}
