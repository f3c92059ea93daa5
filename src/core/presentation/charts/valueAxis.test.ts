import { describe, expect, it } from 'vitest';
import { SERIES } from './looks.ts';
import type { ChartSeries } from './types.ts';
import { valueAxis } from './valueAxis.ts';

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
  it('is as high as the sum of stacked series', () => {
    expect(valueAxis({ spans, series: [series('stacked', [3, 4]), series('stacked', [3, 5])] }, [], 'perSecond', false).to).toBe(10);
  });

  it('shows a limit near the data and ignores one far above', () => {
    const data = { spans, series: [series('line', [100, 200])] };
    expect(valueAxis(data, [{ value: 500, label: '' }], 'ms', false).to).toBeGreaterThan(500);
    expect(valueAxis(data, [{ value: 50_000, label: '' }], 'ms', false).to).toBe(200);
  });

  it('starts a logarithmic axis below the smallest value, not at an unknown one', () => {
    const axis = valueAxis({ spans, series: [series('line', [null, 30])] }, [], 'ms', true);
    expect(axis.from).toBeLessThanOrEqual(30);
    expect(axis.from).toBeGreaterThan(1);
  });
});
