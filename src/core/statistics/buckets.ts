import { Int32Histogram } from 'hdr-histogram-js';

/** Minimum of the counted times: 1 µs. The maximum is 1 h. */
export const MIN_VALUE_US = 1;
export const MAX_VALUE_US = 3_600_000_000;
export const SIGNIFICANT_DIGITS = 3;
/** Initial maximum of a new histogram, which grows on demand. Most times are below one second, and a histogram up to 1 h takes 94 kB. */
export const FIRST_HIGHEST_US = 1_048_575;

/** Histogram that provides the bucket layout of the library. Its counts stay empty. */
export const BUCKET_SHAPE = new Int32Histogram(MIN_VALUE_US, MAX_VALUE_US, SIGNIFICANT_DIGITS);

/** Number of buckets up to {@link MAX_VALUE_US}. */
export const BUCKET_COUNT = BUCKET_SHAPE.countsArrayLength;

/** First bucket that is wider than 1 µs. From this bucket on, the width doubles every 1,024 buckets. */
const FIRST_WIDE_BUCKET = 2_048;

// The library computes the same with powers and logarithms, which takes ten times as long. Reading a result needs millions of these calls.

/** Returns the bucket of a time in microseconds from 0 to {@link MAX_VALUE_US}. Truncates fractions. */
export function bucketOf(valueUs: number): number {
  const shift = Math.max(0, 21 - Math.clz32(valueUs));
  return shift * 1_024 + (valueUs >>> shift);
}

/** Returns the shortest time of a bucket, in whole microseconds. */
export function lowestUsOf(bucket: number): number {
  if (bucket < FIRST_WIDE_BUCKET) return bucket;
  const shift = (bucket >> 10) - 1;
  return (bucket - shift * 1_024) * 2 ** shift;
}

/** Returns the longest whole time of a bucket. */
export function highestUsOf(bucket: number): number {
  return lowestUsOf(bucket) + widthUsOf(bucket) - 1;
}

export function middleUsOf(bucket: number): number {
  return lowestUsOf(bucket) + Math.floor(widthUsOf(bucket) / 2);
}

function widthUsOf(bucket: number): number {
  return bucket < FIRST_WIDE_BUCKET ? 1 : 2 ** ((bucket >> 10) - 1);
}
