import { describe, expect, it } from 'vitest';
import { SERIES } from './looks.ts';
import { chartSummary } from './names.ts';
import type { ChartSeries } from './types.ts';

const series = (name: string, values: (number | null)[]): ChartSeries => {
  return { id: name, name, label: name, look: SERIES.p50, shape: 'line', values };
};

describe('chartSummary', () => {
  it('describes the range of each series, and missing values', () => {
    const all = [series('half', [20, null, 35]), series('slowest', [5_000, 5_000]), series('waiting', [null])];
    expect(chartSummary({ series: all }, 'ms')).toBe('half: between 20 ms and 35 ms. slowest: 5 s throughout. waiting no data.');
  });
});
