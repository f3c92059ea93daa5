import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uniformAt } from './uniformAt.ts';
import { isGrowing, medianOf, type Reading, secondsToLimit, theilSen, findTrend } from './trend.ts';

function readings(count: number, value: (second: number) => number): Reading[] {
  return Array.from({ length: count }, (_, second) => ({ second, value: value(second) }));
}

describe('findTrend', () => {
  it('finds the slope of a straight line and when it reaches a limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 3_000 }), fc.integer({ min: 1, max: 1_000 }), fc.nat({ max: 500 }), (count, slope, start) => {
        const trend = findTrend(readings(count, (second) => start + (slope / 100) * second));
        if (trend === null) throw new Error('no trend');
        expect(trend.perSecond).toBeCloseTo(slope / 100, 6);
        expect(isGrowing(trend)).toBe(true);
        const limit = start + (slope / 100) * (count - 1) + 100;
        expect(secondsToLimit(trend, limit)?.expected).toBeCloseTo(10_000 / slope, 4);
      }),
    );
  });

  it('estimates growth of 0.2 per second, and the time to a limit, within 10 %', () => {
    const trend = findTrend(readings(120, (second) => 8 + Math.floor((second * 100) / 500)));
    if (trend === null) throw new Error('no trend');
    expect(trend.perSecond).toBeGreaterThan(0.18);
    expect(trend.perSecond).toBeLessThan(0.22);
    const limit = secondsToLimit(trend, 97);
    // The line 8 + t / 5 reaches 97 at second 445, which is 326 s after the last reading.
    expect((limit?.expected ?? 0) / 326).toBeGreaterThan(0.9);
    expect((limit?.expected ?? 0) / 326).toBeLessThan(1.1);
    expect(limit?.earliest).toBeLessThan(limit?.expected ?? 0);
    expect(limit?.latest).toBeGreaterThan(limit?.expected ?? 0);
  });

  it('reports growth of random noise in about 2.5 % of runs', () => {
    let called = 0;
    for (let run = 0; run < 400; run += 1) {
      const trend = findTrend(readings(200, (second) => uniformAt(run * 7_919 + 1, second)));
      if (trend !== null && isGrowing(trend)) called += 1;
    }
    expect(called).toBeGreaterThan(1);
    expect(called).toBeLessThan(25);
  });

  it('returns null for a few readings, and no time to a limit for a falling line', () => {
    expect(findTrend(readings(5, (second) => second))).toBeNull();
    expect(findTrend([])).toBeNull();
    const falling = findTrend(readings(50, (second) => 100 - second));
    if (falling === null) throw new Error('no trend');
    expect([isGrowing(falling), secondsToLimit(falling, 200)]).toEqual([false, null]);
  });
});

describe('figures of trends:', () => {
  it('findTrend returns the slope, standard error and line of a published example', () => {
    // The data are Anscombe's first set (1973), at 4 to 14: slope 0.5001 ± 0.1179, half-width 2.262 × 0.1179 with 9 degrees of freedom.
    const values = [4.26, 5.68, 7.24, 4.82, 6.95, 8.81, 8.04, 8.33, 10.84, 7.58, 9.96];
    const trend = findTrend(values.map((value, index) => ({ second: 4 + index, value })));
    expect(trend).toMatchObject({ from: 4.26, to: 9.96, seconds: 10 });
    expect(trend?.perSecond).toBeCloseTo(0.5001, 4);
    expect(trend?.high).toBeCloseTo(0.5001 + 2.262 * 0.1179, 3);
    expect(trend?.low).toBeCloseTo(0.5001 - 2.262 * 0.1179, 3);
    expect(trend?.lineEnd).toBeCloseTo(3.0001 + 0.5001 * 14, 3);
  });

  it('findTrend uses means of at most twenty blocks and ignores a short last block', () => {
    // Blocks have three readings. One reading beyond 42 is less than half a block, and two are more.
    expect(findTrend(readings(43, (second) => (second === 42 ? 1_000 : second)))).toMatchObject({ from: 1, to: 40 });
    expect(findTrend(readings(44, (second) => second))).toMatchObject({ from: 1, to: 42.5 });
    expect(findTrend(readings(40, (second) => second))).toMatchObject({ from: 0.5, to: 38.5 });
    expect(findTrend(readings(5, (second) => second))).toBeNull();
    expect(findTrend(readings(6, (second) => second))?.perSecond).toBeCloseTo(1, 9);
    expect(findTrend(Array.from({ length: 9 }, (_, value) => ({ second: 3, value })))).toBeNull();
  });

  it('secondsToLimit returns 0 for a limit below the line, and no latest time if growth is uncertain', () => {
    const trend = { perSecond: 2, low: 1, high: 4, from: 0, to: 10, lineEnd: 10, seconds: 5 };
    expect(secondsToLimit(trend, 30)).toEqual({ expected: 10, earliest: 5, latest: 20 });
    expect(secondsToLimit({ ...trend, low: 0 }, 30)?.latest).toBeNull();
    expect(secondsToLimit(trend, 5)).toEqual({ expected: 0, earliest: 0, latest: 0 });
    expect(secondsToLimit({ ...trend, perSecond: 0 }, 30)).toBeNull();
    expect([isGrowing(trend), isGrowing({ ...trend, low: 0 })]).toEqual([true, false]);
  });

  it('theilSen ignores an outlier and returns Sen’s interval', () => {
    expect(theilSen([1, 2, 3, 4])).toBeNull();
    expect(theilSen([1, 2, 3, 4, 500])?.value).toBe(1);
    // Ten values have 45 slopes, and 1.96 × √(10 × 9 × 25 / 18) = 21.9 ranks lie between the ends.
    const slopes = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3].flatMap((one, i, all) => all.slice(i + 1).map((other, j) => (other - one) / (j + 1)));
    const sorted = slopes.toSorted((one, other) => one - other);
    expect(theilSen([3, 1, 4, 1, 5, 9, 2, 6, 5, 3])).toEqual({ value: sorted[22], low: sorted[11], high: sorted[34] });
    expect([medianOf([]), medianOf([7]), medianOf([1, 4]), medianOf([1, 2, 9])]).toEqual([0, 7, 2.5, 2]);
  });
});

describe('theilSen', () => {
  it('finds the exact slope of a line, and an interval that contains the slope of a noisy line', () => {
    expect(theilSen([1, 3, 5, 7, 9])).toMatchObject({ value: 2, low: 2, high: 2 });
    expect(theilSen([1, 2, 3, 4])).toBeNull();
    fc.assert(
      fc.property(
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 10, maxLength: 64 }),
        (slope, noise) => {
          const found = theilSen(noise.map((off, index) => slope * index + off));
          expect(Math.abs((found?.value ?? Number.NaN) - slope)).toBeLessThan(2);
          expect(found?.low ?? 0).toBeLessThanOrEqual(found?.value ?? 0);
          expect(found?.high ?? 0).toBeGreaterThanOrEqual(found?.value ?? 0);
        },
      ),
    );
  });

  it('is robust against a few outliers', () => {
    const values = Array.from({ length: 21 }, (_, index) => (index % 7 === 3 ? 9_999 : index * 10));
    expect(theilSen(values)?.value).toBeCloseTo(10, 6);
  });
});
