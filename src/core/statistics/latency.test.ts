import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HIGHEST_US } from './buckets.ts';
import { newHistogram, record } from './histogram.ts';
import { momentsUs } from './latency.ts';

it('finds the mean and the standard deviation that HdrHistogram finds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: HIGHEST_US }), { minLength: 1, maxLength: 200 }), (times) => {
      const histogram = newHistogram();
      for (const time of times) record(histogram, time);
      const { mean, stddev } = momentsUs(histogram);
      expect(Math.abs(mean / histogram.mean - 1)).toBeLessThan(1e-9);
      expect(Math.abs(stddev - histogram.stdDeviation)).toBeLessThanOrEqual(1e-9 * histogram.stdDeviation + 1e-6);
    }),
  );
});

it('finds nothing in an empty one', () => {
  expect(momentsUs(newHistogram())).toEqual({ mean: 0, stddev: 0 });
});
