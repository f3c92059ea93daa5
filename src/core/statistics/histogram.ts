import { Float64Histogram, Int32Histogram, type JsHistogram } from 'hdr-histogram-js';
import type { HoldfastError } from '#core/base/errors.ts';
import { bucketOf, FIRST_HIGHEST_US, MAX_VALUE_US, highestUsOf, MIN_VALUE_US, lowestUsOf, SIGNIFICANT_DIGITS } from './buckets.ts';
import { ByteReader, ByteWriter, damagedError } from './bytes.ts';
import { SCRATCH_LISTS, SparseHistogram } from './sparseHistogram.ts';

/**
 * Counts of times in whole microseconds with 3 significant digits, from 1 µs to 1 h (Gil Tene's HDR histogram: a bucket is at most 1/1024
 * of its value wide). Histograms from any threads and machines are merged by adding their counts, in any order.
 */
export type Histogram = Pick<
  JsHistogram,
  Exclude<keyof SparseHistogram, 'forEach' | 'forEachPartly' | 'countAfter' | 'indexAtRank' | 'merge'>
>;

/** Returns an empty histogram with 32-bit counts for recording one window. */
export function createHistogram(): JsHistogram {
  const histogram = new Int32Histogram(MIN_VALUE_US, FIRST_HIGHEST_US, SIGNIFICANT_DIGITS);
  histogram.autoResize = true;
  return histogram;
}

/** Returns an empty histogram for the total of a whole run. Its counts are exact up to 2^53, because 32 bits could overflow. */
export function createTotalHistogram(): JsHistogram {
  const histogram = new Float64Histogram(MIN_VALUE_US, FIRST_HIGHEST_US, SIGNIFICANT_DIGITS);
  histogram.autoResize = true;
  return histogram;
}

/** Returns an empty histogram for the sum of many windows, which is rarely read. */
export function createSum(): Histogram {
  return new SparseHistogram();
}

/**
 * Counts one time in microseconds. Rounds fractions, and clamps to the range from 1 µs to 1 h. Throws a RangeError for NaN, which only a
 * bug in the caller can produce.
 */
export function record(histogram: Histogram, valueUs: number): void {
  if (valueUs >= MIN_VALUE_US) recordWhole(histogram, valueUs < MAX_VALUE_US ? Math.round(valueUs) : MAX_VALUE_US);
  else if (Number.isNaN(valueUs)) throw new RangeError('A time that is not a number cannot be recorded.');
  else recordWhole(histogram, MIN_VALUE_US);
}

/** Counts `count` times of about `valueUs` microseconds at once. */
export function recordMany(histogram: Histogram, valueUs: number, count: number): void {
  const value = Math.min(MAX_VALUE_US, Math.max(MIN_VALUE_US, Math.round(valueUs)));
  const index = bucketOf(value);
  if (index >= histogram.countsArrayLength) histogram.resize(value);
  histogram.addToCountAtIndex(index, count);
  histogram.updateMinAndMax(value);
  histogram.addToTotalCount(count);
}

/** Does the same as the library's recordValue in a third of the time, because integer operations replace powers and logarithms. */
function recordWhole(histogram: Histogram, value: number): void {
  const index = bucketOf(value);
  if (index >= histogram.countsArrayLength) histogram.resize(value);
  histogram.incrementCountAtIndex(index);
  histogram.updateMinAndMax(value);
  histogram.incrementTotalCount();
}

/** Adds every count of `source` to `target`. Counts, the smallest and the largest value stay exact. */
export function addInto(target: Histogram, source: Histogram): void {
  if (source.totalCount === 0) return;
  const last = bucketOf(source.maxValue);
  if (last >= target.countsArrayLength) target.resize(source.maxValue);
  if (target instanceof SparseHistogram) target.merge(toSparse(source));
  else {
    forEachPartly(source, (index, count) => target.addToCountAtIndex(index, count));
    target.addToTotalCount(source.totalCount);
  }
  target.updateMinAndMax(source.maxValue);
  target.updateMinAndMax(source.minNonZeroValue);
}

/** Returns an empty histogram for a sum, which is sparse if the given one is. */
export function emptyLike(histogram: Histogram): Histogram {
  return histogram instanceof SparseHistogram ? new SparseHistogram() : createHistogram();
}

/** Visits every used bucket, the lowest first. */
export function forEachUsed(histogram: Histogram, visit: (index: number, count: number) => void): void {
  if (histogram.totalCount === 0) return;
  if (histogram instanceof SparseHistogram) return histogram.forEach(visit);
  const last = bucketOf(histogram.maxValue);
  for (let index = bucketOf(histogram.minNonZeroValue); index <= last; index += 1) {
    const count = histogram.getCountAtIndex(index);
    if (count > 0) visit(index, count);
  }
}

/**
 * Visits used buckets in any order. A bucket may be visited several times, each time with a part of its count. This is faster than
 * {@link forEachUsed}, which first joins the parts of a sum.
 */
export function forEachPartly(histogram: Histogram, visit: (index: number, count: number) => void): void {
  if (histogram instanceof SparseHistogram) histogram.forEachPartly(visit);
  else forEachUsed(histogram, visit);
}

function toSparse(histogram: Histogram): SparseHistogram {
  if (histogram instanceof SparseHistogram) return histogram;
  const indexes: number[] = [];
  const counts: number[] = [];
  forEachUsed(histogram, (index, count) => {
    indexes.push(index);
    counts.push(count);
  });
  return SparseHistogram.of(indexes, counts);
}

/** Returns the times of `whole` that are not in `parts`, which were recorded into both. Minimum and maximum are limits of buckets. */
export function subtractHistograms(whole: Histogram, parts: readonly Histogram[]): Histogram {
  if (parts.length === 0) return whole;
  const rest = createTotalHistogram();
  forEachUsed(whole, (index, all) => {
    const count = parts.reduce((left, part) => left - countAt(part, index), all);
    if (count > 0) rest.recordValueWithCount(Math.min(lowestUsOf(index), MAX_VALUE_US), count);
  });
  return rest;
}

function countAt(histogram: Histogram, index: number): number {
  return index < histogram.countsArrayLength ? histogram.getCountAtIndex(index) : 0;
}

/**
 * Returns the number of recorded times longer than `limitUs`. Times in the same bucket as the limit count as within it, so the limit is
 * exact to 0.1 %.
 */
export function countAbove(histogram: Histogram, limitUs: number): number {
  if (histogram.totalCount === 0 || limitUs >= histogram.maxValue) return 0;
  if (limitUs < histogram.minNonZeroValue) return histogram.totalCount;
  const limit = bucketOf(limitUs);
  if (histogram instanceof SparseHistogram) return histogram.countAfter(limit);
  const last = bucketOf(histogram.maxValue);
  let above = 0;
  for (let index = limit + 1; index <= last; index += 1) above += histogram.getCountAtIndex(index);
  return above;
}

/**
 * Returns the time in microseconds that `rank` (1 to the count) recorded times do not exceed. It is the highest value of its bucket, but at
 * most the largest recorded time.
 */
export function valueAtRank(histogram: Histogram, rank: number): number {
  const index = indexAtRank(histogram, rank);
  if (index < 0) return histogram.maxValue;
  return Math.min(highestUsOf(index), histogram.maxValue);
}

function indexAtRank(histogram: Histogram, rank: number): number {
  if (histogram instanceof SparseHistogram) return histogram.indexAtRank(rank);
  const last = bucketOf(histogram.maxValue);
  let seen = 0;
  for (let index = bucketOf(histogram.minNonZeroValue); index <= last; index += 1) {
    seen += histogram.getCountAtIndex(index);
    if (seen >= rank) return index;
  }
  return -1;
}

/**
 * Returns the rank of a percentile among `count` values: the smallest r with r ≥ percentile/100 × count (nearest rank), at least 1. A small
 * correction keeps 99.9 % of 1,000 at 999; without it, floating-point numbers would give 1,000.
 */
export function percentileRank(percentile: number, count: number): number {
  return Math.max(1, Math.ceil((percentile / 100) * count - 1e-6));
}

/** Encodes a histogram as varints: the smallest and the largest value, the gaps between used buckets, and then their counts. */
export function encodeHistogram(histogram: Histogram): Uint8Array {
  const writer = new ByteWriter();
  writeHistogram(writer, histogram);
  return writer.bytes();
}

export function writeHistogram(writer: ByteWriter, histogram: Histogram): void {
  if (histogram.totalCount === 0) return writer.unsigned(0);
  const first = bucketOf(histogram.minNonZeroValue);
  const gaps: number[] = [];
  const counts: number[] = [];
  let next = first;
  forEachUsed(histogram, (index, count) => {
    gaps.push(index - next);
    counts.push(count);
    next = index + 1;
  });
  writer.unsigned(counts.length);
  writer.unsigned(histogram.minNonZeroValue);
  writer.unsigned(histogram.maxValue);
  // The first gap is always 0 and is omitted. All gaps followed by all counts compress better than interleaved ones.
  for (const gap of gaps.slice(1)) writer.unsigned(gap);
  for (const count of counts) writer.unsigned(count);
}

/** Decodes the bytes of {@link encodeHistogram}. Throws `DATA_DAMAGED` for anything else. */
export function decodeHistogram(bytes: Uint8Array): Histogram {
  const reader = new ByteReader(bytes);
  const histogram = readHistogram(reader);
  reader.expectEnd();
  return histogram;
}

export function readHistogram(reader: ByteReader): Histogram {
  const used = reader.count();
  if (used === 0) return new SparseHistogram();
  const smallest = reader.unsigned();
  const largest = reader.unsigned();
  if (smallest < MIN_VALUE_US || largest > MAX_VALUE_US || smallest > largest) throw damagedHistogramError();
  const last = bucketOf(largest);
  let index = bucketOf(smallest);
  const { indexes, counts } = SCRATCH_LISTS;
  indexes[0] = index;
  for (let position = 1; position < used; position += 1) {
    index += reader.unsigned() + 1;
    if (index > last) throw damagedHistogramError();
    indexes[position] = index;
  }
  if (index !== last) throw damagedHistogramError();
  for (let position = 0; position < used; position += 1) {
    const count = reader.unsigned();
    if (count === 0 || count > 0xff_ff_ff_ff) throw damagedHistogramError();
    counts[position] = count;
  }
  const histogram = SparseHistogram.of(indexes.slice(0, used), counts.slice(0, used));
  if (last >= histogram.countsArrayLength) histogram.resize(largest);
  histogram.updateMinAndMax(largest);
  histogram.updateMinAndMax(smallest);
  return histogram;
}

function damagedHistogramError(): HoldfastError {
  return damagedError('a histogram contradicts itself');
}
