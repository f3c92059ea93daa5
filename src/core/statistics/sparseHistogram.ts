import { BUCKET_COUNT, FIRST_HIGHEST_US, MIN_VALUE_US, BUCKET_SHAPE, SIGNIFICANT_DIGITS } from './buckets.ts';

/** Lists that are reused to collect used buckets. A slice of a list that has grown takes a third of the memory of a new list that grows. */
export const SCRATCH_LISTS: { readonly indexes: number[]; readonly counts: number[] } = { indexes: [], counts: [] };

/**
 * Maximum number of windows in a sum that keeps its parts. A sum of more windows becomes one array, because its parts would fill the
 * memory.
 */
const MAX_PARTS = 64;

const FIRST_LENGTH = BUCKET_SHAPE.determineArrayLengthNeeded(FIRST_HIGHEST_US);

/**
 * Times of one window, stored as used buckets only. A second of a step uses dozens of the thousands of buckets, so allocating and scanning
 * an array of all buckets takes far longer. The histogram is read and added but not recorded into. Adding remembers the parts of the other
 * histogram, because most sums are added to a larger one and are rarely read in order.
 */
export class SparseHistogram {
  readonly numberOfSignificantValueDigits = SIGNIFICANT_DIGITS;
  readonly lowestDiscernibleValue = MIN_VALUE_US;
  highestTrackableValue = FIRST_HIGHEST_US;
  countsArrayLength = FIRST_LENGTH;
  maxValue = 0;
  minNonZeroValue = Number.MAX_SAFE_INTEGER;
  totalCount = 0;
  private parts: BucketPart[] = [];
  private sums: BucketSums | null = null;

  /** Creates a histogram from used buckets in ascending order. Here and in `merge`, the caller sets the smallest and the largest value. */
  static of(indexes: readonly number[], counts: readonly number[]): SparseHistogram {
    const made = new SparseHistogram();
    if (indexes.length > 0) made.parts.push({ indexes, counts });
    for (const count of counts) made.totalCount += count;
    return made;
  }

  /** Adds every count of another histogram. */
  merge(other: SparseHistogram): void {
    for (const part of other.parts) this.take(part);
    if (other.sums !== null) this.sumBuckets().addAll(other.sums);
    this.totalCount += other.totalCount;
  }

  /** Visits used buckets in any order. A bucket that several parts use is visited several times. */
  forEachPartly(visit: (index: number, count: number) => void): void {
    for (const part of this.parts) visitAll(part, visit);
    this.sums?.forEach(visit);
  }

  /** Visits every used bucket once, the lowest first. */
  forEach(visit: (index: number, count: number) => void): void {
    if (this.sums === null) visitAll(this.joinParts(), visit);
    else this.sums.forEach(visit);
  }

  /** Counts the times in buckets after `index`. */
  countAfter(index: number): number {
    if (this.sums !== null) return this.sums.countAfter(index);
    let after = 0;
    for (const { indexes, counts } of this.parts)
      for (let position = indexes.length - 1; position >= 0 && (indexes[position] ?? 0) > index; position -= 1)
        after += counts[position] ?? 0;
    return after;
  }

  /** Returns the bucket of the time with a rank; −1 if the rank exceeds the count. */
  indexAtRank(rank: number): number {
    if (rank > this.totalCount) return -1;
    // Most of the percentiles that are asked for are high, so counting from the last bucket takes fewer steps.
    const above = this.totalCount - rank;
    if (this.sums !== null) return this.sums.indexBelow(above);
    const { indexes, counts } = this.joinParts();
    let seenCount = 0;
    for (let position = counts.length - 1; position >= 0; position -= 1) {
      seenCount += counts[position] ?? 0;
      if (seenCount > above) return indexes[position] ?? -1;
    }
    return -1;
  }

  getCountAtIndex(index: number): number {
    if (this.sums !== null) return this.sums.countAt(index);
    const { indexes, counts } = this.joinParts();
    const position = positionOf(indexes, index);
    return indexes[position] === index ? (counts[position] ?? 0) : 0;
  }

  addToCountAtIndex(index: number, count: number): void {
    this.take({ indexes: [index], counts: [count] });
  }

  incrementCountAtIndex(index: number): void {
    this.addToCountAtIndex(index, 1);
  }

  addToTotalCount(count: number): void {
    this.totalCount += count;
  }

  incrementTotalCount(): void {
    this.totalCount += 1;
  }

  updateMinAndMax(value: number): void {
    if (value > this.maxValue) this.maxValue = value;
    if (value < this.minNonZeroValue && value > 0) this.minNonZeroValue = value;
  }

  resize(highestUs: number): void {
    this.highestTrackableValue = highestUs;
    this.countsArrayLength = BUCKET_SHAPE.determineArrayLengthNeeded(highestUs);
  }

  private take(part: BucketPart): void {
    if (this.sums !== null) this.sums.add(part);
    else if (this.parts.push(part) > MAX_PARTS) this.sumBuckets();
  }

  private sumBuckets(): BucketSums {
    if (this.sums === null) {
      this.sums = new BucketSums();
      for (const part of this.parts) this.sums.add(part);
      this.parts = [];
    }
    return this.sums;
  }

  private joinParts(): BucketPart {
    if (this.parts.length > 1) this.parts = [join(this.parts)];
    return this.parts[0] ?? { indexes: [], counts: [] };
  }
}

function visitAll({ indexes, counts }: BucketPart, visit: (index: number, count: number) => void): void {
  for (let position = 0; position < indexes.length; position += 1) visit(indexes[position] ?? 0, counts[position] ?? 0);
}

/** Dense counts that `join` reuses and leaves at 0. */
const ADDED_COUNTS = new Float64Array(BUCKET_COUNT);
/** One bit for each used bucket, 32 to a word. Most words are empty and are skipped. */
const USED_BUCKET_BITS = new Int32Array(Math.ceil(ADDED_COUNTS.length / 32));
function join(parts: readonly BucketPart[]): BucketPart {
  let [lowest, highest] = [USED_BUCKET_BITS.length, -1];
  for (const { indexes, counts } of parts) {
    lowest = Math.min(lowest, (indexes[0] ?? ADDED_COUNTS.length) >> 5);
    highest = Math.max(highest, (indexes.at(-1) ?? -1) >> 5);
    for (let position = 0; position < indexes.length; position += 1) {
      const index = indexes[position] ?? 0;
      ADDED_COUNTS[index] = (ADDED_COUNTS[index] ?? 0) + (counts[position] ?? 0);
      USED_BUCKET_BITS[index >> 5] = (USED_BUCKET_BITS[index >> 5] ?? 0) | (1 << index);
    }
  }
  let used = 0;
  for (let word = lowest; word <= highest; word += 1) {
    let bits = USED_BUCKET_BITS[word] ?? 0;
    USED_BUCKET_BITS[word] = 0;
    while (bits !== 0) {
      const index = (word << 5) | (31 - Math.clz32(bits & -bits));
      bits &= bits - 1;
      const count = ADDED_COUNTS[index] ?? 0;
      ADDED_COUNTS[index] = 0;
      if (count === 0) continue;
      SCRATCH_LISTS.indexes[used] = index;
      SCRATCH_LISTS.counts[used] = count;
      used += 1;
    }
  }
  return { indexes: SCRATCH_LISTS.indexes.slice(0, used), counts: SCRATCH_LISTS.counts.slice(0, used) };
}

/** Returns the position of a bucket among the used ones, or the position at which it would be inserted. */
function positionOf(indexes: readonly number[], index: number): number {
  let [from, to] = [0, indexes.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((indexes[middle] ?? 0) < index) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Used buckets in ascending order, with their counts. */
export interface BucketPart {
  readonly indexes: readonly number[];
  readonly counts: readonly number[];
}

const MIN_GROWTH_BUCKETS = 512;

/** Dense counts of all buckets between the lowest and the highest used one. */
export class BucketSums {
  private first = 0;
  private counts = new Float64Array(0);

  add({ indexes, counts }: BucketPart): void {
    const [lowest, highest] = [indexes[0], indexes.at(-1)];
    if (lowest === undefined || highest === undefined) return;
    this.growRange(lowest, highest);
    const { first, counts: sums } = this;
    for (let position = 0; position < indexes.length; position += 1) {
      const place = (indexes[position] ?? 0) - first;
      sums[place] = (sums[place] ?? 0) + (counts[position] ?? 0);
    }
  }

  addAll(other: BucketSums): void {
    this.growRange(other.first, other.first + other.counts.length - 1);
    const shift = other.first - this.first;
    for (let place = 0; place < other.counts.length; place += 1)
      this.counts[place + shift] = (this.counts[place + shift] ?? 0) + (other.counts[place] ?? 0);
  }

  /** Visits every used bucket, the lowest first. */
  forEach(visit: (index: number, count: number) => void): void {
    for (let place = 0; place < this.counts.length; place += 1) {
      const count = this.counts[place] ?? 0;
      if (count > 0) visit(this.first + place, count);
    }
  }

  countAt(index: number): number {
    return this.counts[index - this.first] ?? 0;
  }

  countAfter(index: number): number {
    let after = 0;
    for (let place = this.counts.length - 1; place >= 0 && this.first + place > index; place -= 1) after += this.counts[place] ?? 0;
    return after;
  }

  /** Returns the highest bucket for which it and all higher buckets hold more than `above` times; −1 if there is none. */
  indexBelow(above: number): number {
    let seenCount = 0;
    for (let place = this.counts.length - 1; place >= 0; place -= 1) {
      seenCount += this.counts[place] ?? 0;
      if (seenCount > above) return this.first + place;
    }
    return -1;
  }

  private growRange(lowest: number, highest: number): void {
    const [before, end] = [this.counts.length, this.first + this.counts.length];
    if (lowest >= this.first && highest < end) return;
    const first = before > 0 && lowest >= this.first ? this.first : Math.floor(lowest / MIN_GROWTH_BUCKETS) * MIN_GROWTH_BUCKETS;
    const grown = new Float64Array(
      Math.ceil((Math.max(highest + 1, before > 0 ? end : 0) - first) / MIN_GROWTH_BUCKETS) * MIN_GROWTH_BUCKETS,
    );
    if (before > 0) grown.set(this.counts, this.first - first);
    this.first = first;
    this.counts = grown;
  }
}
