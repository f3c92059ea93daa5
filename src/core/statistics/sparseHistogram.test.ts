import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addInto,
  countAbove,
  decodeHistogram,
  encodeHistogram,
  forEachPartly,
  forEachUsed,
  type Histogram,
  createHistogram,
  createSum,
  createTotalHistogram,
  record,
  recordMany,
  valueAtRank,
} from './histogram.ts';
import { bucketOf, lowestUsOf } from './buckets.ts';
import { encodeHdr } from './hdrEncoding.ts';
import { momentsUs } from './latency.ts';
import { SparseHistogram } from './sparseHistogram.ts';

const timesUs = fc.array(fc.integer({ min: 0, max: 4_000_000_000 }), { maxLength: 40 });

/** Returns every figure that can be read from a histogram. */
function toPlainValues(histogram: Histogram): unknown {
  const { totalCount, maxValue, minNonZeroValue } = histogram;
  const ranks = [1, Math.ceil(totalCount / 2), totalCount].map((rank) => valueAtRank(histogram, rank));
  const above = [0, 1, 2_047, 2_048, 50_000, 1_048_576, 3_600_000_000].map((limitUs) => countAbove(histogram, limitUs));
  const counts: (readonly [number, number])[] = [];
  forEachUsed(histogram, (index, count) => counts.push([lowestUsOf(index), count]));
  let partly = 0;
  forEachPartly(histogram, (_, count) => (partly += count));
  return {
    totalCount,
    maxValue,
    minNonZeroValue,
    ranks,
    above,
    counts,
    partly,
    moments: momentsUs(histogram),
    bytes: [...encodeHistogram(histogram)],
  };
}

it('SparseHistogram: keeps few parts when times are recorded one by one', () => {
  const sum = createSum();
  for (let time = 0; time < 5_000; time += 1) record(sum, 40_000 + (time % 10) * 1_000);
  let visits = 0;
  forEachPartly(sum, () => (visits += 1));
  expect(visits).toBeLessThan(1_000);
  let used = 0;
  forEachUsed(sum, (_, count) => (used += count));
  expect(used).toBe(5_000);
});

it('SparseHistogram: makes a sum of stored windows equal to a sum of recorded times', () => {
  fc.assert(
    fc.property(fc.array(timesUs, { minLength: 1, maxLength: 300 }), fc.nat(), (windows, readAfter) => {
      const [dense, sparse, around] = [createTotalHistogram(), createSum(), createTotalHistogram()];
      for (const [index, times] of windows.entries()) {
        const window = createHistogram();
        for (const timeUs of times) record(window, timeUs);
        addInto(dense, window);
        addInto(sparse, index % 3 === 0 ? window : decodeHistogram(encodeHistogram(window)));
        if (index === readAfter % windows.length && times.length > 0) expect(toPlainValues(sparse)).toEqual(toPlainValues(dense));
      }
      if (dense.totalCount === 0) return;
      expect(toPlainValues(sparse)).toEqual(toPlainValues(dense));
      forEachUsed(dense, (index, count) => expect(sparse.getCountAtIndex(index)).toBe(count));
      const [ofSums, twice] = [createSum(), createTotalHistogram()];
      for (const half of [sparse, decodeHistogram(encodeHistogram(sparse))]) addInto(ofSums, half);
      for (const half of [dense, dense]) addInto(twice, half);
      expect(toPlainValues(ofSums)).toEqual(toPlainValues(twice));
      addInto(around, sparse);
      expect(toPlainValues(around)).toEqual(toPlainValues(dense));
    }),
    { numRuns: 60 },
  );
});

it('SparseHistogram: returns counts per bucket, counts after a bucket and the bucket of a rank', () => {
  const [sum, dense] = [new SparseHistogram(), createTotalHistogram()];
  for (const times of [
    [10, 10, 12, 200],
    [12, 3_000],
  ]) {
    const window = createHistogram();
    for (const time of times) record(window, time);
    addInto(sum, window);
    addInto(dense, window);
  }
  // A bucket is 1 µs wide below 2,048 µs and 2 µs wide above, so 3,000 µs is in bucket 1,024 + 1,500.
  expect([9, 10, 11, 12, 13, 200, 201, 2_524, 5_000].map((index) => sum.getCountAtIndex(index))).toEqual([0, 2, 0, 2, 0, 1, 0, 1, 0]);
  expect([9, 10, 12, 200, 2_524].map((index) => sum.countAfter(index))).toEqual([6, 4, 2, 1, 0]);
  expect([1, 2, 3, 4, 5, 6, 7].map((rank) => sum.indexAtRank(rank))).toEqual([10, 10, 12, 12, 200, 2_524, -1]);
  expect(encodeHdr(sum)).toEqual(encodeHdr(dense));
  const empty = new SparseHistogram();
  expect([empty.getCountAtIndex(0), empty.countAfter(0), empty.indexAtRank(1)]).toEqual([0, 0, -1]);
});

it('SparseHistogram: counts one time or many at once, of any length', () => {
  const sum = createSum();
  recordMany(sum, 40, 3);
  record(sum, 40);
  expect([sum.totalCount, sum.getCountAtIndex(40), sum.minNonZeroValue, sum.maxValue]).toEqual([4, 4, 40, 40]);
  expect(sum.highestTrackableValue).toBe(1_048_575);
  recordMany(sum, 2_000_000, 1);
  expect([sum.totalCount, sum.highestTrackableValue]).toEqual([5, 2_000_000]);
  expect(sum.countsArrayLength).toBeGreaterThan(bucketOf(2_000_000));
});

it('SparseHistogram: merges its windows into an array beyond 64 of them', () => {
  const sum = createSum();
  const visits = (): number => {
    let found = 0;
    forEachPartly(sum, () => (found += 1));
    return found;
  };
  const window = createHistogram();
  record(window, 40);
  for (let count = 1; count <= 64; count += 1) addInto(sum, window);
  expect(visits()).toBe(64);
  addInto(sum, window);
  expect([visits(), sum.totalCount, sum.getCountAtIndex(40)]).toEqual([1, 65, 65]);
});
