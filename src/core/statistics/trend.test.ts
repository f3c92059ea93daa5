import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uniformAt } from './uniformAt.ts';
import { grows, secondsToLimit, trendOf, type Reading } from './trend.ts';

function readings(count: number, value: (second: number) => number): Reading[] {
  return Array.from({ length: count }, (_, second) => ({ second, value: value(second) }));
}

describe('a trend', () => {
  it('of a straight line is its slope, and reaches a limit when the line does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 3_000 }), fc.integer({ min: 1, max: 1_000 }), fc.nat({ max: 500 }), (count, slope, start) => {
        const trend = trendOf(readings(count, (second) => start + (slope / 100) * second));
        if (trend === null) throw new Error('no trend');
        expect(trend.perSecond).toBeCloseTo(slope / 100, 6);
        expect(grows(trend)).toBe(true);
        const limit = start + (slope / 100) * (count - 1) + 100;
        expect(secondsToLimit(trend, limit)?.expected).toBeCloseTo(10_000 / slope, 4);
      }),
    );
  });

  it('of a leak of 1 in 500 requests at 100 a second, read off in whole connections, is right within a tenth', () => {
    const trend = trendOf(readings(120, (second) => 8 + Math.floor((second * 100) / 500)));
    if (trend === null) throw new Error('no trend');
    expect(trend.perSecond).toBeGreaterThan(0.18);
    expect(trend.perSecond).toBeLessThan(0.22);
    const limit = secondsToLimit(trend, 97);
    // 8 + t / 5 = 97 at second 445, which is 326 s after the last reading.
    expect((limit?.expected ?? 0) / 326).toBeGreaterThan(0.9);
    expect((limit?.expected ?? 0) / 326).toBeLessThan(1.1);
    expect(limit?.earliest).toBeLessThan(limit?.expected ?? 0);
    expect(limit?.latest).toBeGreaterThan(limit?.expected ?? 0);
  });

  it('of noise is called growth about once in forty times', () => {
    let called = 0;
    for (let run = 0; run < 400; run += 1) {
      const trend = trendOf(readings(200, (second) => uniformAt(run * 7_919 + 1, second)));
      if (trend !== null && grows(trend)) called += 1;
    }
    expect(called).toBeGreaterThan(1);
    expect(called).toBeLessThan(25);
  });

  it('is not known of a few readings, and reaches no limit when it falls', () => {
    expect(trendOf(readings(5, (second) => second))).toBeNull();
    expect(trendOf([])).toBeNull();
    const falling = trendOf(readings(50, (second) => 100 - second));
    if (falling === null) throw new Error('no trend');
    expect([grows(falling), secondsToLimit(falling, 200)]).toEqual([false, null]);
  });
});
