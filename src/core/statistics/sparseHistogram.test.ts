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
  newHistogram,
  newSum,
  newTotalHistogram,
  record,
  valueAtRank,
} from './histogram.ts';
import { momentsUs } from './latency.ts';

const timesUs = fc.array(fc.integer({ min: 0, max: 4_000_000_000 }), { maxLength: 40 });

/** Everything that is ever read of a histogram. */
function readOf(histogram: Histogram): unknown {
  const { totalCount, maxValue, minNonZeroValue } = histogram;
  const ranks = [1, Math.ceil(totalCount / 2), totalCount].map((rank) => valueAtRank(histogram, rank));
  const above = [0, 1, 2_047, 2_048, 50_000, 1_048_576, 3_600_000_000].map((limitUs) => countAbove(histogram, limitUs));
  const counts: (readonly [number, number])[] = [];
  forEachUsed(histogram, (index, count) => counts.push([histogram.valueFromIndex(index), count]));
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

it('keeps few parts, also where times are recorded in it one by one', () => {
  const sum = newSum();
  for (let time = 0; time < 5_000; time += 1) record(sum, 40_000 + (time % 10) * 1_000);
  let visits = 0;
  forEachPartly(sum, () => (visits += 1));
  expect(visits).toBeLessThan(1_000);
  let used = 0;
  forEachUsed(sum, (_, count) => (used += count));
  expect(used).toBe(5_000);
});

it('a sum of stored times tells what the sum of recorded ones does, whenever it is read and whatever it is added to', () => {
  fc.assert(
    fc.property(fc.array(timesUs, { minLength: 1, maxLength: 300 }), fc.nat(), (windows, readAfter) => {
      const [dense, sparse, around] = [newTotalHistogram(), newSum(), newTotalHistogram()];
      for (const [index, times] of windows.entries()) {
        const window = newHistogram();
        for (const timeUs of times) record(window, timeUs);
        addInto(dense, window);
        addInto(sparse, index % 3 === 0 ? window : decodeHistogram(encodeHistogram(window)));
        if (index === readAfter % windows.length && times.length > 0) expect(readOf(sparse)).toEqual(readOf(dense));
      }
      if (dense.totalCount === 0) return;
      expect(readOf(sparse)).toEqual(readOf(dense));
      addInto(around, sparse);
      expect(readOf(around)).toEqual(readOf(dense));
    }),
    { numRuns: 60 },
  );
});
