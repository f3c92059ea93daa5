import { describe, expect, it } from 'vitest';
import { SERIES } from './looks.ts';
import { buildDrawnRows, indexAt, stackLayers } from './drawnRows.ts';
import type { ChartSeries } from './types.ts';

const line = (id: string, values: (number | null)[]): ChartSeries => ({
  id,
  name: id,
  label: id,
  look: SERIES.completed,
  shape: 'line',
  values,
});

describe('buildDrawnRows', () => {
  it('inserts an empty row into a gap, so that no line crosses it', () => {
    const spans = [
      { second: 0, width: 1 },
      { second: 1, width: 1 },
      { second: 7, width: 1 },
    ];
    expect(buildDrawnRows({ spans, series: [line('a', [1, 2, 3])] })).toEqual([
      { x: 0.5, from: 0, to: 1, values: { a: 1 } },
      { x: 1.5, from: 1, to: 2, values: { a: 2 } },
      { x: 2, from: 2, to: 2, values: {} },
      { x: 7.5, from: 7, to: 8, values: { a: 3 } },
    ]);
  });

  it('extends a drawn span over omitted ones, up to a gap', () => {
    const spans = Array.from({ length: 10 }, (_, index) => ({ second: index < 5 ? index : index + 10, width: 1 }));
    const values = spans.map((_, index) => (index === 2 ? 50 : 1));
    const rows = buildDrawnRows({ spans, series: [line('a', values)] }, 6).filter((row) => row.from < row.to);
    expect(rows.at(0)?.from).toBe(0);
    expect(rows.find((row) => row.from < 5 && row.to === 5)).toBeDefined();
    expect(rows.at(-1)?.to).toBe(20);
  });

  it('leaves unknown values out instead of drawing zeros', () => {
    const spans = [{ second: 0, width: 10 }];
    expect(buildDrawnRows({ spans, series: [line('a', [null])] })).toEqual([{ x: 5, from: 0, to: 10, values: { a: null } }]);
  });
});

describe('indexAt', () => {
  const spans = [
    { second: 0, width: 1 },
    { second: 1, width: 1 },
    { second: 10, width: 2 },
  ];
  it('finds the span that contains the second', () => {
    expect([0, 0.5, 1.99, 11].map((second) => indexAt(spans, second))).toEqual([0, 0, 1, 2]);
  });

  it('finds none in the middle of a gap', () => {
    expect(indexAt(spans, 5)).toBe(-1);
    expect(indexAt([], 5)).toBe(-1);
  });
});

describe('stackLayers', () => {
  it('stacks each layer on the sum of those below', () => {
    expect(
      stackLayers([
        [1, 2],
        [3, 4],
      ]),
    ).toEqual([
      [
        [0, 1],
        [0, 2],
      ],
      [
        [1, 4],
        [2, 6],
      ],
    ]);
  });

  it('leaves a gap instead of a zero for unmeasured spans', () => {
    expect(
      stackLayers([
        [1, null],
        [3, null],
      ]),
    ).toEqual([
      [[0, 1], null],
      [[1, 4], null],
    ]);
    expect(stackLayers([[null], [3]])).toEqual([[null], [[0, 3]]]);
  });
});
