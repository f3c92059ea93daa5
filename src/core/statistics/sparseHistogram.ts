import { BUCKETS, FIRST_HIGHEST_US, LOWEST_US, SHAPE, SIGNIFICANT_DIGITS } from './buckets.ts';
import { type BucketPart, BucketSums } from './bucketSums.ts';

/** Lists in which the used buckets of a histogram are put together: they have grown once, and a copy of their beginning takes a third of the memory of a new list that grows. */
export const ROOM: { readonly indexes: number[]; readonly counts: number[] } = { indexes: [], counts: [] };

/** A sum of more windows is kept as an array: their parts would fill the memory with what was added long ago. */
const MOST_PARTS = 64;

const FIRST_LENGTH = SHAPE.determineArrayLengthNeeded(FIRST_HIGHEST_US);

/**
 * The times of one window: only the buckets that were used. A second of a step uses some dozens of the thousands that there are: to make an array of all of them, to fill it and to look
 * through it takes far longer than what was counted. Made to be read and added; whoever records has an array. Others are added by remembering their parts: most sums are added
 * to a larger one next, and only a few are ever looked through in order.
 */
export class SparseHistogram {
  readonly numberOfSignificantValueDigits = SIGNIFICANT_DIGITS;
  readonly lowestDiscernibleValue = LOWEST_US;
  highestTrackableValue = FIRST_HIGHEST_US;
  countsArrayLength = FIRST_LENGTH;
  maxValue = 0;
  minNonZeroValue = Number.MAX_SAFE_INTEGER;
  totalCount = 0;
  private parts: BucketPart[] = [];
  private sums: BucketSums | null = null;

  /** Takes used buckets in their order, into one that is empty. Smallest and largest value are for the caller, here and below. */
  static of(indexes: readonly number[], counts: readonly number[]): SparseHistogram {
    const made = new SparseHistogram();
    if (indexes.length > 0) made.parts.push({ indexes, counts });
    for (const count of counts) made.totalCount += count;
    return made;
  }

  /** Adds every count of another. */
  merge(other: SparseHistogram): void {
    for (const part of other.parts) this.take(part);
    if (other.sums !== null) this.summed().addAll(other.sums);
    this.totalCount += other.totalCount;
  }

  /** Used buckets in no order; one that several parts have used comes several times. */
  forEachPartly(visit: (index: number, count: number) => void): void {
    for (const part of this.parts) visitAll(part, visit);
    this.sums?.forEach(visit);
  }

  /** Every used bucket once, lowest first. */
  forEach(visit: (index: number, count: number) => void): void {
    if (this.sums === null) visitAll(this.joined(), visit);
    else this.sums.forEach(visit);
  }

  /** How many times lie in buckets after this one. */
  countAfter(index: number): number {
    if (this.sums !== null) return this.sums.countAfter(index);
    let after = 0;
    for (const { indexes, counts } of this.parts)
      for (let position = indexes.length - 1; position >= 0 && (indexes[position] ?? 0) > index; position -= 1)
        after += counts[position] ?? 0;
    return after;
  }

  /** The bucket in which the time of that rank lies; -1 where there are not so many. */
  indexAtRank(rank: number): number {
    if (rank > this.totalCount) return -1;
    // Most of the percentiles that are asked for are high ones: counted down from the last bucket, few are passed.
    const above = this.totalCount - rank;
    if (this.sums !== null) return this.sums.indexBelow(above);
    const { indexes, counts } = this.joined();
    let passed = 0;
    for (let position = counts.length - 1; position >= 0; position -= 1) {
      passed += counts[position] ?? 0;
      if (passed > above) return indexes[position] ?? -1;
    }
    return -1;
  }

  getCountAtIndex(index: number): number {
    if (this.sums !== null) return this.sums.countAt(index);
    const { indexes, counts } = this.joined();
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
    this.countsArrayLength = SHAPE.determineArrayLengthNeeded(highestUs);
  }

  private take(part: BucketPart): void {
    if (this.sums !== null) this.sums.add(part);
    else if (this.parts.push(part) > MOST_PARTS) this.summed();
  }

  private summed(): BucketSums {
    if (this.sums === null) {
      this.sums = new BucketSums();
      for (const part of this.parts) this.sums.add(part);
      this.parts = [];
    }
    return this.sums;
  }

  private joined(): BucketPart {
    if (this.parts.length > 1) this.parts = [join(this.parts)];
    return this.parts[0] ?? { indexes: [], counts: [] };
  }
}

function visitAll({ indexes, counts }: BucketPart, visit: (index: number, count: number) => void): void {
  for (let position = 0; position < indexes.length; position += 1) visit(indexes[position] ?? 0, counts[position] ?? 0);
}

/** All buckets that there can be; empty whenever nobody adds parts up. */
const ADDED = new Float64Array(BUCKETS);
/** A bit for each of them that is used, 32 to a word: the times of a second lie far apart, and most buckets between them are empty. */
const USED = new Int32Array(Math.ceil(ADDED.length / 32));
function join(parts: readonly BucketPart[]): BucketPart {
  let [lowest, highest] = [USED.length, -1];
  for (const { indexes, counts } of parts) {
    lowest = Math.min(lowest, (indexes[0] ?? ADDED.length) >> 5);
    highest = Math.max(highest, (indexes.at(-1) ?? -1) >> 5);
    for (let position = 0; position < indexes.length; position += 1) {
      const index = indexes[position] ?? 0;
      ADDED[index] = (ADDED[index] ?? 0) + (counts[position] ?? 0);
      USED[index >> 5] = (USED[index >> 5] ?? 0) | (1 << index);
    }
  }
  let used = 0;
  for (let word = lowest; word <= highest; word += 1) {
    let bits = USED[word] ?? 0;
    USED[word] = 0;
    while (bits !== 0) {
      const index = (word << 5) | (31 - Math.clz32(bits & -bits));
      bits &= bits - 1;
      const count = ADDED[index] ?? 0;
      ADDED[index] = 0;
      if (count === 0) continue;
      ROOM.indexes[used] = index;
      ROOM.counts[used] = count;
      used += 1;
    }
  }
  return { indexes: ROOM.indexes.slice(0, used), counts: ROOM.counts.slice(0, used) };
}

/** Where a bucket is, or would be, among those that were used. */
function positionOf(indexes: readonly number[], index: number): number {
  let [from, to] = [0, indexes.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((indexes[middle] ?? 0) < index) from = middle + 1;
    else to = middle;
  }
  return from;
}
