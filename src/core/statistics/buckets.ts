import { Int32Histogram } from 'hdr-histogram-js';

/** Times are counted from 1 µs to 1 h. */
export const LOWEST_US = 1;
export const HIGHEST_US = 3_600_000_000;
export const SIGNIFICANT_DIGITS = 3;
/** A new histogram reaches this far and grows by itself: most never see a second, and one that reaches 1 h takes 94 kB. */
export const FIRST_HIGHEST_US = 1_048_575;

/** For what the library knows of buckets, whatever is in them. */
export const SHAPE = new Int32Histogram(LOWEST_US, HIGHEST_US, SIGNIFICANT_DIGITS);

/** Buckets that there are up to {@link HIGHEST_US}. */
export const BUCKETS = SHAPE.countsArrayLength;

/** Buckets below this one are 1 µs wide; from here on each half of so many is twice as wide as the one before. */
const FIRST_WIDER = 2_048;

// The library finds the same by powers and logarithms, which takes ten times as long: a result asks for some millions of buckets.

/** The bucket of a time in microseconds from 0 to {@link HIGHEST_US}; a fraction is cut off. */
export function bucketOf(valueUs: number): number {
  const shift = Math.max(0, 21 - Math.clz32(valueUs));
  return shift * 1_024 + (valueUs >>> shift);
}

/** The shortest time of a bucket, in whole microseconds. */
export function lowestUsOf(bucket: number): number {
  if (bucket < FIRST_WIDER) return bucket;
  const shift = (bucket >> 10) - 1;
  return (bucket - shift * 1_024) * 2 ** shift;
}

/** The longest whole time of a bucket. */
export function highestUsOf(bucket: number): number {
  return lowestUsOf(bucket) + widthUsOf(bucket) - 1;
}

/** The time in the middle of a bucket. */
export function middleUsOf(bucket: number): number {
  return lowestUsOf(bucket) + Math.floor(widthUsOf(bucket) / 2);
}

function widthUsOf(bucket: number): number {
  return bucket < FIRST_WIDER ? 1 : 2 ** ((bucket >> 10) - 1);
}
