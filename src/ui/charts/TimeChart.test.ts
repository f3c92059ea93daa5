import { describe, expect, it } from 'vitest';
import { SERIES } from '#core/presentation/charts/looks.ts';
import { chartCsv } from './TimeChart.tsx';

const series = (name: string, values: (number | null)[]) => ({
  id: name,
  name,
  label: name,
  look: SERIES.p50,
  shape: 'line' as const,
  values,
});

describe('chartCsv', () => {
  it('contains every point with its unit and leaves unknown values empty', () => {
    const spans = [
      { second: 0, width: 1 },
      { second: 1, width: 1 },
    ];
    const csv = chartCsv({ spans, series: [series('p50', [12.5, null])] }, 'ms', '2026-03-12T14:05:07.000Z');
    expect(csv).toBe('second,width (s),from,p50 (ms)\r\n0,1,2026-03-12T14:05:07.000Z,12.5\r\n1,1,2026-03-12T14:05:08.000Z,\r\n');
  });

  it('quotes names and escapes cells that a spreadsheet would run as formulas', () => {
    const csv = chartCsv({ spans: [], series: [series('a, "b"', []), series('=1+1', [])] }, 'count', null);
    expect(csv).toBe('second,width (s),from,"a, ""b""",\'=1+1\r\n');
  });
});
