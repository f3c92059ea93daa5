import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearAxis, logAxis, timeTicks } from './ticks.ts';

describe('linearAxis', () => {
  it('ends at a round number above the highest value', () => {
    expect(linearAxis(982, 4)).toEqual({ from: 0, to: 1_000, ticks: [0, 500, 1_000] });
    expect(linearAxis(0.3, 4).ticks).toEqual([0, 0.1, 0.2, 0.3]);
  });

  it('has a height even when nothing happened', () => {
    expect(linearAxis(0, 4).to).toBeGreaterThan(0);
  });

  it('marks counts at whole numbers only', () => {
    expect(linearAxis(2, 4, true).ticks).toEqual([0, 1, 2]);
  });

  it('always contains the value and few marks', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (highest) => {
        const axis = linearAxis(highest, 4);
        expect(axis.to).toBeGreaterThanOrEqual(highest * (1 - 1e-8));
        expect(axis.ticks.length).toBeLessThanOrEqual(6);
      }),
    );
  });
});

describe('logAxis', () => {
  it('marks 1, 2, 5 of each decade', () => {
    expect(logAxis(12, 900)).toEqual({ from: 10, to: 1_000, ticks: [10, 20, 50, 100, 200, 500, 1_000] });
  });

  it('marks only decades when there are many', () => {
    expect(logAxis(0.4, 60_000).ticks).toEqual([0.1, 1, 10, 100, 1_000, 10_000, 100_000]);
  });

  it('contains both ends and is never empty', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e6, noNaN: true }), fc.double({ min: 1, max: 1e5, noNaN: true }), (lowest, times) => {
        const axis = logAxis(lowest, lowest * times);
        expect(axis.from).toBeLessThanOrEqual(lowest * 1.000_001);
        expect(axis.to).toBeGreaterThanOrEqual(lowest * times * 0.999_999);
        expect(axis.to).toBeGreaterThan(axis.from);
      }),
    );
  });
});

describe('timeTicks', () => {
  it('uses steps that a clock has', () => {
    expect(timeTicks(0, 330, 6)).toEqual([0, 60, 120, 180, 240, 300]);
    expect(timeTicks(0, 7_200, 5)).toEqual([0, 1_800, 3_600, 5_400, 7_200]);
    expect(timeTicks(0, 0, 5)).toEqual([0]);
  });
});
