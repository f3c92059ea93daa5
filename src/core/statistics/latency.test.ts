import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_VALUE_US } from './buckets.ts';
import { createHistogram, record } from './histogram.ts';
import { momentsUs, summarize } from './latency.ts';

it('momentsUs: returns the mean and standard deviation of HdrHistogram', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: MAX_VALUE_US }), { minLength: 1, maxLength: 200 }), (times) => {
      const histogram = createHistogram();
      for (const time of times) record(histogram, time);
      const { mean, stddev } = momentsUs(histogram);
      expect(Math.abs(mean / histogram.mean - 1)).toBeLessThan(1e-9);
      expect(Math.abs(stddev - histogram.stdDeviation)).toBeLessThanOrEqual(1e-9 * histogram.stdDeviation + 1e-6);
    }),
  );
});

it('momentsUs: returns 0 for an empty histogram', () => {
  expect(momentsUs(createHistogram())).toEqual({ mean: 0, stddev: 0 });
});

it('summarize: returns the mean and standard deviation of 1 ms and 3 ms, and neither if a request has no time', () => {
  const histogram = createHistogram();
  for (const time of [1_000, 3_000]) record(histogram, time);
  expect(summarize(histogram)).toMatchObject({ count: 2, min: 1, mean: 2, stddev: 1, max: 3 });
  expect(summarize(histogram, 1)).toMatchObject({ count: 3, min: 1, mean: 'never', stddev: null, max: 'never' });
  expect(summarize(createHistogram(), 1)).toMatchObject({ count: 1, min: 'never', mean: 'never', stddev: null });
  expect(summarize(undefined)).toMatchObject({ count: 0, min: null, mean: null, stddev: null, p50: null });
});

it('summarize: keeps the mean between minimum and maximum, even within one bucket', () => {
  for (let us = 1; us < 60_000_000; us = Math.ceil(us * 1.37)) {
    const histogram = createHistogram();
    for (let times = 0; times < 3; times += 1) record(histogram, us);
    const { min, mean, max } = summarize(histogram);
    expect([typeof min, typeof mean, typeof max]).toEqual(['number', 'number', 'number']);
    expect(Number(mean)).toBeLessThanOrEqual(Number(max));
    expect(Number(mean)).toBeGreaterThanOrEqual(Number(min));
  }
});
