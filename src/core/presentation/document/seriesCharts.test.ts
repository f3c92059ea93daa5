import { describe, expect, it } from 'vitest';
import { buildSeriesResult } from '#core/series/buildSeriesResult.ts';
import { expandSeries } from '#core/series/cells.ts';
import type { SeriesRow } from '#core/series/result.ts';
import { cellRun, documentWith, figuresWith } from '#core/series/testing/series.ts';
import { fieldsOf, levelChoices, levelPicture, variantNames } from './seriesReport.ts';

const head = { id: 's', name: 's', startedAt: '2026-01-01T12:00:00.000Z', endedAt: null, state: 'running', endedBecause: null } as const;

/** Returns rows of a series whose throughput equals their position in the table. */
function rowsOf(series: Parameters<typeof documentWith>[0]): SeriesRow[] {
  const document = documentWith(series);
  const runs = expandSeries(document).cells.flatMap(({ name }, index) =>
    Array.from({ length: document.series.repeats }, (_, repeat) =>
      cellRun(name, repeat + 1, { figures: figuresWith({ completedPerSecond: 10 * index + repeat, failedShare: 0.25 }) }),
    ),
  );
  return buildSeriesResult(head, document, runs).rows;
}
const variants = [{ name: 'a' }, { name: 'b' }];

describe('levelPicture', () => {
  it('draws a line for each variant over the sorted levels', () => {
    const rows = rowsOf({ variants, levels: { connections: [1_000, 5] } });
    const picture = levelPicture(rows, variantNames(rows));
    expect(picture).toMatchObject({ along: 'levels', axisName: 'connections', categories: ['5', '1,000'], numbers: [5, 1_000] });
    expect(picture?.lines.throughput.map(({ name, values }) => [name, values.map((value) => value?.median)])).toEqual([
      ['a', [10, 0]],
      ['b', [30, 20]],
    ]);
    expect(picture?.lines.failedShare[0]?.values[0]?.median).toBe(25);
  });

  it('draws repeats if there are no levels, and nothing for a single value', () => {
    const rows = rowsOf({ variants, repeats: 2 });
    expect(levelPicture(rows, ['a', 'b'])).toMatchObject({ along: 'repeats', categories: ['1', '2'], numbers: null });
    expect(levelPicture(rows, ['a', 'b'])?.lines.throughput[1]?.values.map((value) => value?.median)).toEqual([10, 11]);
    expect(levelPicture(rowsOf({ variants }), ['a', 'b'])).toBeNull();
  });

  it('leaves a gap if a cell has no complete run', () => {
    const [first, ...others] = rowsOf({ levels: { connections: [1, 2, 3] } });
    if (first === undefined) throw new Error('there are rows');
    const picture = levelPicture([{ ...first, throughput: null }, ...others], ['']);
    expect(picture?.lines.throughput[0]?.values.map((value) => value?.median ?? null)).toEqual([null, 10, 20]);
  });

  it('uses the only factor as the axis if it is a number, and the repeats if it is a word', () => {
    const rowed = (factors: readonly (string | number)[]) =>
      rowsOf({ variants: factors.map((rows) => ({ name: `with ${rows}`, factors: { rows } })), repeats: 2 });
    const picture = levelPicture(rowed([1_000, 10]), ['with 1000', 'with 10']);
    expect(picture).toMatchObject({ along: 'factor', axisName: 'rows', categories: ['10', '1,000'], numbers: [10, 1_000] });
    expect(picture?.lines.throughput.map(({ values }) => values.map((value) => value?.median))).toEqual([[10.5, 0.5]]);
    expect(levelPicture(rowed(['few', 10]), ['with few', 'with 10'])).toMatchObject({ along: 'repeats' });
  });

  it('marks a level with failed or inconclusive criteria', () => {
    const [first, second] = rowsOf({ levels: { connections: [1, 2] } });
    if (first === undefined || second === undefined) throw new Error('there are rows');
    const failed = second.runs.map((run) => ({ ...run, figures: run.figures && { ...run.figures, outcome: 'failed' as const } }));
    const picture = levelPicture([first, { ...second, runs: failed }], ['']);
    expect(picture?.lines.p95[0]?.values.map((value) => value?.outcome)).toEqual([undefined, 'failed']);
  });

  it('names the levels of a matrix', () => {
    const rows = rowsOf({ levels: { requests: [100, 1_000], connections: [1, 5] } });
    expect(fieldsOf(rows)).toEqual(['connections', 'requests']);
    expect(levelChoices(rows, 'requests')).toEqual([
      { value: '100', label: '100 requests' },
      { value: '1000', label: '1,000 requests' },
    ]);
  });
});
