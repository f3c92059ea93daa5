import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_VALUE_US } from './buckets.ts';
import { type ExponentialHistogram, toExponential } from './exponentialHistogram.ts';
import { addInto, createHistogram, createSum, type Histogram, percentileRank, recordMany, valueAtRank } from './histogram.ts';

const anyTimes = fc.array(fc.tuple(fc.integer({ min: 1, max: MAX_VALUE_US }), fc.integer({ min: 1, max: 1_000 })), {
  minLength: 1,
  maxLength: 60,
});

function createTimes(times: readonly (readonly [number, number])[]): Histogram {
  const histogram = createHistogram();
  for (const [valueUs, count] of times) recordMany(histogram, valueUs, count);
  return histogram;
}

function convert(histogram: Histogram): ExponentialHistogram {
  const converted = toExponential(histogram);
  if (converted === null) throw new Error('The histogram is empty.');
  return converted;
}

/** Returns the bounds in seconds of the bucket that holds the time of a rank. */
function bucketAtRank({ scale, offset, counts }: ExponentialHistogram, rank: number): { above: number; upTo: number } {
  let seen = 0;
  const index = counts.findIndex((count) => (seen += count) >= rank);
  return { above: 2 ** ((offset + index) / 2 ** scale), upTo: 2 ** ((offset + index + 1) / 2 ** scale) };
}

it('toExponential: keeps every count in at most 320 buckets', () => {
  fc.assert(
    fc.property(anyTimes, (times) => {
      const converted = convert(createTimes(times));
      const total = times.reduce((sum, [, count]) => sum + count, 0);
      expect(converted.count).toBe(total);
      expect(converted.counts.reduce((sum, count) => sum + count, 0)).toBe(total);
      expect(converted.counts.length).toBeLessThanOrEqual(320);
      expect(converted.counts[0]).toBeGreaterThan(0);
      expect(converted.counts.at(-1)).toBeGreaterThan(0);
    }),
  );
});

it('toExponential: puts each percentile into the bucket of its time, to 0.1 %', () => {
  fc.assert(
    fc.property(anyTimes, fc.constantFrom(1, 50, 90, 95, 99, 99.9), (times, percentile) => {
      const histogram = createTimes(times);
      const rank = percentileRank(percentile, histogram.totalCount);
      const seconds = valueAtRank(histogram, rank) / 1_000_000;
      const { above, upTo } = bucketAtRank(convert(histogram), rank);
      expect(seconds).toBeGreaterThan(above * 0.999);
      expect(seconds).toBeLessThan(upTo * 1.0011);
    }),
  );
});

it('toExponential: returns the sum, the minimum and the maximum in seconds', () => {
  const converted = convert(
    createTimes([
      [500, 2],
      [250_000, 4],
    ]),
  );
  expect(converted.sum).toBeCloseTo(1.001, 3);
  expect(converted).toMatchObject({ min: 0.0005, max: 0.25, count: 6 });
});

it('toExponential: returns growing counts for a growing sum, even if the scale decreases', () => {
  const sum = createSum();
  const countUpTo = (converted: ExponentialHistogram, seconds: number): number =>
    converted.counts.reduce((all, count, index) => {
      const upTo = 2 ** ((converted.offset + index + 1) / 2 ** converted.scale);
      return upTo <= seconds * 1.000_001 ? all + count : all;
    }, 0);
  addInto(sum, createTimes([[2_000, 5]]));
  const first = convert(sum);
  addInto(
    sum,
    createTimes([
      [2, 1],
      [60_000_000, 1],
    ]),
  );
  const second = convert(sum);
  expect(first.scale).toBe(8);
  expect(second.scale).toBeLessThan(5);
  expect(countUpTo(second, 4)).toBe(6);
  expect(second.count).toBe(7);
});

it('toExponential: returns null without times', () => {
  expect(toExponential(createHistogram())).toBeNull();
});
