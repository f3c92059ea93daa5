import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median, medianOf, medianRatio, percentileOf } from './statistics.ts';

const numbers = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 200 });

describe('median', () => {
  it('returns the middle value', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, Number.NaN]);
  });

  it('has as many values below it as above it', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const middle = median(values);
        const below = values.filter((value) => value < middle).length;
        const above = values.filter((value) => value > middle).length;
        expect(below).toBeLessThanOrEqual(values.length / 2);
        expect(above).toBeLessThanOrEqual(values.length / 2);
      }),
    );
  });

  it('ignores missing values, and returns null if all are missing', () => {
    expect([medianOf([null, 3, 1, null, 2]), medianOf([null]), medianOf([])]).toEqual([2, null, null]);
  });
});

describe('percentileOf', () => {
  it('returns the smallest value that at least the given share of values does not exceed', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 100 }), (values, percentile) => {
        const sorted = Float64Array.from(values).sort();
        const found = percentileOf(sorted, percentile);
        const countUpTo = (limit: number): number => values.filter((value) => value <= limit).length;
        expect(countUpTo(found) * 100).toBeGreaterThanOrEqual(percentile * values.length);
        const smaller = values.filter((value) => value < found);
        if (smaller.length > 0) expect(countUpTo(Math.max(...smaller)) * 100).toBeLessThan(percentile * values.length);
      }),
    );
    expect(percentileOf(new Float64Array(), 50)).toBeNaN();
  });
});

describe('medianRatio', () => {
  it('compares values of the same round, so that a slow minute has no effect', () => {
    expect(medianRatio([200, 20, 220], [100, 10, 110])).toBe(2);
    expect(median([200, 20, 220]) / median([100, 10, 110])).toBe(2);
    // The ratio between the two medians would be 3 here.
    expect(medianRatio([300, 20, 400], [100, 40, 200])).toBe(2);
  });

  it('skips rounds that one side lacks, and returns null if there is no other round', () => {
    expect(medianRatio([null, 20, 30], [10, 10, null])).toBe(2);
    expect([medianRatio([], [1]), medianRatio([1], []), medianRatio([null], [1]), medianRatio([1], [0])]).toEqual([null, null, null, null]);
  });
});
