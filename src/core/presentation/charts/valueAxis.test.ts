import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearAxis, logAxis, needsLogarithm, roundLevels, timeTicks, valueAxis } from './valueAxis.ts';
import { SERIES } from './looks.ts';
import type { ChartSeries } from './types.ts';

describe('linearAxis', () => {
  it('ends at a round number above the maximum', () => {
    expect(linearAxis(982, 4)).toEqual({ from: 0, to: 1_000, ticks: [0, 500, 1_000] });
    expect(linearAxis(0.3, 4).ticks).toEqual([0, 0.1, 0.2, 0.3]);
  });

  it('has a positive height without data', () => {
    expect(linearAxis(0, 4).to).toBeGreaterThan(0);
  });

  it('marks counts only at whole numbers', () => {
    expect(linearAxis(2, 4, true).ticks).toEqual([0, 1, 2]);
  });

  it('always contains the value and has few marks', () => {
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

  it('marks only decades if there are many', () => {
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
  it('uses steps of a clock', () => {
    expect(timeTicks(0, 330, 6)).toEqual([0, 60, 120, 180, 240, 300]);
    expect(timeTicks(0, 7_200, 5)).toEqual([0, 1_800, 3_600, 5_400, 7_200]);
    expect(timeTicks(0, 0, 5)).toEqual([0]);
  });
});

/** Returns row boundaries, six per decade, as in run results. */
const edges = (from: number, rows: number): number[] =>
  Array.from({ length: rows + 1 }, (_, row) => Number((10 ** (from + row / 6)).toPrecision(3)));

describe('roundLevels', () => {
  it('marks 1, 2 and 5 of each decade', () => {
    const levels = roundLevels(edges(0, 12));
    expect(levels.map(({ ms }) => ms)).toEqual([1, 2, 5, 10, 20, 50, 100]);
    expect(levels.map(({ row }) => Math.round(10 * row) / 10)).toEqual([0, 1.8, 4.2, 6, 7.8, 10.2, 12]);
  });

  it('marks only decades if there are many', () => {
    expect(roundLevels(edges(-2 / 3, 26)).map(({ ms }) => ms)).toEqual([1, 10, 100, 1_000]);
  });

  it('marks the ends if no round value lies between them, and nothing if there are no rows', () => {
    expect(roundLevels([21.5, 31.6])).toEqual([
      { ms: 21.5, row: 0 },
      { ms: 31.6, row: 1 },
    ]);
    expect(roundLevels([])).toEqual([]);
    expect(roundLevels([5])).toEqual([]);
  });
});

const spans = [
  { second: 0, width: 1 },
  { second: 1, width: 1 },
];
const series = (shape: ChartSeries['shape'], values: (number | null)[]): ChartSeries => ({
  id: values.join(','),
  name: '',
  label: '',
  look: SERIES.completed,
  shape,
  values,
});

describe('valueAxis', () => {
  it('covers the sum of stacked series', () => {
    expect(valueAxis({ spans, series: [series('stacked', [3, 4]), series('stacked', [3, 5])] }, [], 'perSecond', false).to).toBe(10);
  });

  it('includes a limit near the data, and ignores one far above', () => {
    const data = { spans, series: [series('line', [100, 200])] };
    expect(valueAxis(data, [{ value: 500, label: '' }], 'ms', false).to).toBeGreaterThan(500);
    expect(valueAxis(data, [{ value: 50_000, label: '' }], 'ms', false).to).toBe(200);
  });

  it('starts a logarithmic axis below the smallest known value', () => {
    const axis = valueAxis({ spans, series: [series('line', [null, 30])] }, [], 'ms', true);
    expect(axis.from).toBeLessThanOrEqual(30);
    expect(axis.from).toBeGreaterThan(1);
  });
});

describe('needsLogarithm', () => {
  const chart = (p50: readonly (number | null)[], max: readonly number[]) => ({
    spans: p50.map((_, second) => ({ second, width: 1 })),
    series: [
      { id: 'max', name: 'max', label: 'max', look: SERIES.max, shape: 'dots' as const, values: max },
      { id: 'p50', name: 'p50', label: 'p50', look: SERIES.p50, shape: 'line' as const, values: p50 },
    ],
  });

  it('returns true if the median is below 5 % of the axis', () => {
    expect(needsLogarithm(chart([20, 20, 800], [30, 990, 990]), [], 'ms')).toBe(true);
    expect(needsLogarithm(chart([60, 60, 800], [90, 990, 990]), [], 'ms')).toBe(false);
  });

  it('considers a criterion within the axis, and none beyond it', () => {
    const times = chart([20, 20], [120, 120]);
    expect(needsLogarithm(times, [{ value: 450, label: 'limit' }], 'ms')).toBe(true);
    expect(needsLogarithm(times, [{ value: 5_000, label: 'limit' }], 'ms')).toBe(false);
  });

  it('returns false without data', () => {
    expect(needsLogarithm(chart([null], [0]), [], 'ms')).toBe(false);
  });
});
