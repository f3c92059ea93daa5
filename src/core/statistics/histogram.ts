import { Float64Histogram, Int32Histogram, type JsHistogram } from 'hdr-histogram-js';
import type { HoldfastError } from '#core/base/errors.ts';
import { bucketOf, FIRST_HIGHEST_US, HIGHEST_US, highestUsOf, LOWEST_US, lowestUsOf, SIGNIFICANT_DIGITS } from './buckets.ts';
import { ByteReader, ByteWriter, damaged } from './bytes.ts';
import { ROOM, SparseHistogram } from './sparseHistogram.ts';

/**
 * Counts of times in whole microseconds, 3 significant digits from 1 µs to 1 h (Gil Tene's HDR histogram: every count lies in
 * a bucket no wider than 1/1024 of its value). Histograms merge by adding counts, so order, threads and machines do not matter.
 */
export type Histogram = Pick<
  JsHistogram,
  Exclude<keyof SparseHistogram, 'forEach' | 'forEachPartly' | 'countAfter' | 'indexAtRank' | 'merge'>
>;

/** An empty histogram that one window is recorded into: 32-bit counts. */
export function newHistogram(): JsHistogram {
  const histogram = new Int32Histogram(LOWEST_US, FIRST_HIGHEST_US, SIGNIFICANT_DIGITS);
  histogram.autoResize = true;
  return histogram;
}

/** An empty histogram for the sum of a whole run: its counts are exact up to 2^53 where 32 bits could overflow. */
export function newTotalHistogram(): JsHistogram {
  const histogram = new Float64Histogram(LOWEST_US, FIRST_HIGHEST_US, SIGNIFICANT_DIGITS);
  histogram.autoResize = true;
  return histogram;
}

/** An empty histogram for the sum of many windows, which is read now and then. */
export function newSum(): Histogram {
  return new SparseHistogram();
}

/**
 * Counts one time in microseconds; fractions are rounded, times outside 1 µs to 1 h count as the nearest end.
 * Throws a RangeError for NaN, which only a fault of the caller can produce.
 */
export function record(histogram: Histogram, valueUs: number): void {
  if (valueUs >= LOWEST_US) recordWhole(histogram, valueUs < HIGHEST_US ? Math.round(valueUs) : HIGHEST_US);
  else if (Number.isNaN(valueUs)) throw new RangeError('A time that is not a number cannot be recorded.');
  else recordWhole(histogram, LOWEST_US);
}

/** Counts so many times of about that length at once. */
export function recordMany(histogram: Histogram, valueUs: number, count: number): void {
  const value = Math.min(HIGHEST_US, Math.max(LOWEST_US, Math.round(valueUs)));
  const index = bucketOf(value);
  if (index >= histogram.countsArrayLength) histogram.resize(value);
  histogram.addToCountAtIndex(index, count);
  histogram.updateMinAndMax(value);
  histogram.addToTotalCount(count);
}

/** What the library's recordValue does, with whole-number operations in place of powers and logarithms: a third of the time. */
function recordWhole(histogram: Histogram, value: number): void {
  const index = bucketOf(value);
  if (index >= histogram.countsArrayLength) histogram.resize(value);
  histogram.incrementCountAtIndex(index);
  histogram.updateMinAndMax(value);
  histogram.incrementTotalCount();
}

/** Adds every count of `source` to `target`, exactly, whatever their sizes; smallest and largest value stay exact too. */
export function addInto(target: Histogram, source: Histogram): void {
  if (source.totalCount === 0) return;
  const last = bucketOf(source.maxValue);
  if (last >= target.countsArrayLength) target.resize(source.maxValue);
  if (target instanceof SparseHistogram) target.merge(sparse(source));
  else {
    forEachPartly(source, (index, count) => target.addToCountAtIndex(index, count));
    target.addToTotalCount(source.totalCount);
  }
  target.updateMinAndMax(source.maxValue);
  target.updateMinAndMax(source.minNonZeroValue);
}

/** An empty histogram for the sum of some that are as small as this one. */
export function emptyLike(histogram: Histogram): Histogram {
  return histogram instanceof SparseHistogram ? new SparseHistogram() : newHistogram();
}

/** Every used bucket of a histogram, lowest first. */
export function forEachUsed(histogram: Histogram, visit: (index: number, count: number) => void): void {
  if (histogram.totalCount === 0) return;
  if (histogram instanceof SparseHistogram) return histogram.forEach(visit);
  const last = bucketOf(histogram.maxValue);
  for (let index = bucketOf(histogram.minNonZeroValue); index <= last; index += 1) {
    const count = histogram.getCountAtIndex(index);
    if (count > 0) visit(index, count);
  }
}

/** Used buckets in any order, where that does not matter: putting those of a sum into one takes a while. A bucket may come several times. */
export function forEachPartly(histogram: Histogram, visit: (index: number, count: number) => void): void {
  if (histogram instanceof SparseHistogram) histogram.forEachPartly(visit);
  else forEachUsed(histogram, visit);
}

function sparse(histogram: Histogram): SparseHistogram {
  if (histogram instanceof SparseHistogram) return histogram;
  const indexes: number[] = [];
  const counts: number[] = [];
  forEachUsed(histogram, (index, count) => {
    indexes.push(index);
    counts.push(count);
  });
  return SparseHistogram.of(indexes, counts);
}

/** What remains of a histogram when the times of others that were recorded into it too are taken out. Its ends are those of buckets. */
export function without(whole: Histogram, parts: readonly Histogram[]): Histogram {
  if (parts.length === 0) return whole;
  const rest = newTotalHistogram();
  forEachUsed(whole, (index, all) => {
    const count = parts.reduce((left, part) => left - countAt(part, index), all);
    if (count > 0) rest.recordValueWithCount(Math.min(lowestUsOf(index), HIGHEST_US), count);
  });
  return rest;
}

function countAt(histogram: Histogram, index: number): number {
  return index < histogram.countsArrayLength ? histogram.getCountAtIndex(index) : 0;
}

/**
 * How many recorded times are longer than `limitUs`. Times of the bucket that the limit falls in count as within: like every
 * figure of a histogram this is exact to 0.1 % of the limit.
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
 * The time in microseconds that `rank` (1 to the count) recorded times do not exceed, as the highest value of its bucket,
 * but never beyond the largest recorded one.
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
 * Rank of a percentile among `count` values: the smallest r with r ≥ percentile/100 × count (nearest rank), at least 1.
 * The small correction keeps 99.9 % of 1,000 at 999, where binary fractions would say 1,000.
 */
export function percentileRank(percentile: number, count: number): number {
  return Math.max(1, Math.ceil((percentile / 100) * count - 1e-6));
}

/** The histogram as bytes: smallest and largest value, then the gaps between used buckets, then their counts; all as varints. */
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
  // The first gap is 0 by construction and is left out; gaps and counts apart compress better than interleaved.
  for (const gap of gaps.slice(1)) writer.unsigned(gap);
  for (const count of counts) writer.unsigned(count);
}

/** The reverse of {@link encodeHistogram}. Bytes that it cannot have written are refused with `DATA_DAMAGED`. */
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
  if (smallest < LOWEST_US || largest > HIGHEST_US || smallest > largest) throw damagedHistogram();
  const last = bucketOf(largest);
  let index = bucketOf(smallest);
  const { indexes, counts } = ROOM;
  indexes[0] = index;
  for (let position = 1; position < used; position += 1) {
    index += reader.unsigned() + 1;
    if (index > last) throw damagedHistogram();
    indexes[position] = index;
  }
  if (index !== last) throw damagedHistogram();
  for (let position = 0; position < used; position += 1) {
    const count = reader.unsigned();
    if (count === 0 || count > 0xff_ff_ff_ff) throw damagedHistogram();
    counts[position] = count;
  }
  const histogram = SparseHistogram.of(indexes.slice(0, used), counts.slice(0, used));
  if (last >= histogram.countsArrayLength) histogram.resize(largest);
  histogram.updateMinAndMax(largest);
  histogram.updateMinAndMax(smallest);
  return histogram;
}

function damagedHistogram(): HoldfastError {
  return damaged('a histogram contradicts itself');
}
