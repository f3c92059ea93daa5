import { describe, expect, it } from 'vitest';
import { type BucketPart, BucketSums } from './sparseHistogram.ts';

const partOf = (buckets: Readonly<Record<number, number>>): BucketPart => ({
  indexes: Object.keys(buckets).map(Number),
  counts: Object.values(buckets),
});

function listSums(...parts: readonly Readonly<Record<number, number>>[]): BucketSums {
  const sums = new BucketSums();
  for (const part of parts) sums.add(partOf(part));
  return sums;
}

function usedIn(sums: BucketSums): [number, number][] {
  const used: [number, number][] = [];
  sums.forEach((index, count) => used.push([index, count]));
  return used;
}

describe('BucketSums', () => {
  it('is empty before the first part and after an empty part', () => {
    const sums = listSums({});
    expect(usedIn(sums)).toEqual([]);
    expect([sums.countAt(0), sums.countAfter(-1), sums.indexBelow(0)]).toEqual([0, 0, -1]);
  });

  it('adds counts of the same bucket and visits buckets in ascending order', () => {
    const sums = listSums({ 1_000: 3, 1_002: 1 }, { 1_000: 2, 1_001: 4 });
    expect(usedIn(sums)).toEqual([
      [1_000, 5],
      [1_001, 4],
      [1_002, 1],
    ]);
  });

  // The first part covers buckets 512 to 1,023. The others are at its ends or beyond them.
  it.each([0, 100, 511, 512, 1_023, 1_024, 1_025, 5_000])('grows to bucket %i and keeps its counts', (index) => {
    const sums = listSums({ 600: 7, 900: 8 }, { [index]: 9 });
    expect(new Map(usedIn(sums))).toEqual(
      new Map([
        [600, 7],
        [900, 8],
        [index, 9],
      ]),
    );
    expect([sums.countAt(600), sums.countAt(900), sums.countAt(index)]).toEqual([7, 8, 9]);
  });

  it('grows at both ends at once', () => {
    expect(usedIn(listSums({ 600: 7 }, { 3: 1, 2_000: 2 }))).toEqual([
      [3, 1],
      [600, 7],
      [2_000, 2],
    ]);
  });

  it.each([
    ['lower', { 10: 1, 20: 2 }],
    ['higher', { 5_000: 1, 6_000: 2 }],
    ['the same buckets', { 600: 1, 700: 2 }],
    ['some of the same buckets and higher ones', { 3_000: 1, 4_000: 2 }],
  ])('adds %s and does not change the source', (_where, buckets) => {
    const own = { 600: 7, 900: 8, 3_000: 9 };
    const [sums, other] = [listSums(own), listSums(buckets)];
    const before = usedIn(other);
    sums.addAll(other);
    expect(usedIn(sums)).toEqual(usedIn(listSums(own, buckets)));
    expect(usedIn(other)).toEqual(before);
  });

  it('copies the counts of another sum if it is empty', () => {
    const sums = new BucketSums();
    sums.addAll(listSums({ 600: 7, 2_900: 8 }));
    sums.addAll(new BucketSums());
    expect(usedIn(sums)).toEqual([
      [600, 7],
      [2_900, 8],
    ]);
  });

  it('counts times after a bucket, without the bucket itself', () => {
    const sums = listSums({ 600: 7, 700: 1, 900: 8 });
    expect([0, 599, 600, 699, 700, 899, 900, 9_000].map((index) => sums.countAfter(index))).toEqual([16, 16, 9, 9, 8, 8, 0, 0]);
  });

  it('finds the bucket by the number of times above it', () => {
    const sums = listSums({ 600: 7, 700: 1, 900: 8 });
    expect([0, 7, 8, 9, 15, 16].map((above) => sums.indexBelow(above))).toEqual([900, 900, 700, 600, 600, -1]);
  });

  it('finds the lowest bucket of its array', () => {
    const sums = listSums({ 512: 1 });
    expect([sums.indexBelow(0), sums.countAfter(511), sums.countAfter(512)]).toEqual([512, 1, 0]);
  });
});
