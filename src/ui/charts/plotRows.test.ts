import { describe, expect, it } from 'vitest';
import { SERIES } from '#core/presentation/charts/looks.ts';
import type { ChartSeries } from '#core/presentation/charts/types.ts';
import { plotRows } from './plotRows.ts';

const series = (shape: ChartSeries['shape'], values: readonly (number | null)[]): ChartSeries => ({
  id: `${shape} ${values.join()}`,
  name: shape,
  label: shape,
  look: SERIES.p50,
  shape,
  values,
});
const listSpans = (...seconds: readonly number[]) => seconds.map((second) => ({ second, width: 1 }));

describe('plotRows', () => {
  it("contain a span's value at the middle of the span, and no value in a gap", () => {
    expect(plotRows({ spans: listSpans(0, 1, 5), series: [series('line', [1, null, 0])] }, false)).toEqual([
      { second: 0.5, line0: 1 },
      { second: 1.5, line0: null },
      { second: 2, line0: null },
      { second: 5.5, line0: 0 },
      { second: 5.5 },
    ]);
  });

  it('contain no zero on a logarithmic axis', () => {
    const [row] = plotRows({ spans: listSpans(0), series: [series('line', [0])] }, true);
    expect(row).toEqual({ second: 0.5, line0: null });
  });

  it('draw each second of a layer as a step with its own height, and no layer of height 0', () => {
    const rows = plotRows({ spans: listSpans(0, 1), series: [series('stacked', [5, 4]), series('stacked', [0, 2])] }, false);
    expect(rows.slice(0, 4)).toEqual([
      { second: 0, line0: 5, line1: null },
      { second: 1, line0: 5, line1: null },
      { second: 1, line0: 4, line1: 2 },
      { second: 2, line0: 4, line1: 2 },
    ]);
  });

  it('are about 300 at most, and include the highest value', () => {
    const values = Array.from({ length: 3_600 }, (_, index) => (index === 1_234 ? 99 : index % 7));
    for (const shape of ['line', 'stacked'] as const) {
      const rows = plotRows({ spans: values.map((_, second) => ({ second, width: 1 })), series: [series(shape, values)] }, false);
      expect(rows.length).toBeLessThanOrEqual(301);
      expect(Math.max(...rows.map(({ line0 }) => line0 ?? 0))).toBe(99);
    }
  });
});
