import { describe, expect, it } from 'vitest';
import type { SeriesDocument } from '#core/plan/schema/series.ts';
import { users } from '#core/testing/plans.ts';
import { type Batch, mergeSeries } from './merge.ts';
import type { CellRun, SeriesHead } from './result.ts';
import { cellRun, documentWith, figuresWith } from './testing/series.ts';

const variants = [{ name: 'a', factors: { ram: '4 GB' } }];
const document = (changes: Partial<Parameters<typeof documentWith>[0]> = {}, plan: Parameters<typeof documentWith>[1] = {}) =>
  documentWith({ variants, levels: { connections: [10, 20] }, repeats: 1, ...changes }, plan);

function batch(id: string, runs: readonly CellRun[], head: Partial<SeriesHead> = {}, of: SeriesDocument = document()): Batch {
  return {
    head: {
      id,
      name: `Batch ${id}`,
      startedAt: '2026-01-02T12:30:00.000Z',
      endedAt: '2026-01-02T13:00:00.000Z',
      state: 'finished',
      endedBecause: null,
      ...head,
    },
    document: of,
    runs,
  };
}
const cells = ['a · 10 connections', 'a · 20 connections'] as const;
const cellRuns = (sent: number): CellRun[] => cells.map((cell) => cellRun(cell, 1, { figures: figuresWith({ sent, ok: sent - 1 }) }));
const refusal = (batches: readonly Batch[]): string => {
  try {
    mergeSeries(batches);
    return '';
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown ? `${String(thrown.code)}: ${thrown.message}` : String(thrown);
  }
};

describe('mergeSeries', () => {
  const merged = mergeSeries([
    batch('s-2', cellRuns(100)),
    batch('s-1', cellRuns(1_000), { startedAt: '2026-01-01T08:00:00.000Z', endedAt: '2026-01-03T09:00:00.000Z' }),
  ]);

  it('counts runs of the same cell as its repeats, in the order of the batches', () => {
    expect(
      merged.rows.map(({ cell, runs }) => [cell, runs.map(({ repeat, position, figures }) => [repeat, position, figures?.sent])]),
    ).toEqual([
      [
        cells[0],
        [
          [1, 0, 100],
          [2, 2, 1_000],
        ],
      ],
      [
        cells[1],
        [
          [1, 1, 100],
          [2, 3, 1_000],
        ],
      ],
    ]);
    expect(merged.planned).toBe(4);
  });

  it('has the name of the first, and lasts from the earliest start to the latest end', () => {
    expect(merged.series).toEqual({
      id: 's-2+s-1',
      name: 'Batch s-2',
      startedAt: '2026-01-01T08:00:00.000Z',
      endedAt: '2026-01-03T09:00:00.000Z',
      state: 'finished',
      endedBecause: null,
    });
  });

  it('notes the totals of each batch', () => {
    expect(merged.notes.slice(0, 2)).toEqual([
      'Batch 1, s-2 of 2026-01-02 12:30: 2 cells, 2 runs, 200 requests, 198 successful.',
      'Batch 2, s-1 of 2026-01-01 08:00: 2 cells, 2 runs, 2,000 requests, 1,998 successful.',
    ]);
    const [single] = mergeSeries([batch('s-1', cellRuns(100).slice(0, 1)), batch('s-2', cellRuns(1))]).notes;
    expect(single).toContain(': 1 cell, 1 run, 100 requests');
    expect(merged.engine.reason).toBe(`Every batch was run by ${merged.engine.name}.`);
  });

  it('is stopped if one batch was', () => {
    const stopped = mergeSeries([batch('s-1', cellRuns(1)), batch('s-2', cellRuns(1), { state: 'stopped' })]);
    expect(stopped.series).toMatchObject({ state: 'stopped', endedBecause: 'Not every batch went to its end.' });
  });

  it('has the levels of all batches in order, and no row without runs', () => {
    const higher = document({ levels: { connections: [40, 10] } });
    const other = mergeSeries([
      batch('s-1', cellRuns(1)),
      batch('s-2', [cellRun('a · 40 connections', 1), cellRun('nobody’s', 1)], {}, higher),
    ]);
    expect(other.rows.map(({ cell }) => cell)).toEqual([...cells, 'a · 40 connections']);
    expect(other.planned).toBe(3);
    const third = mergeSeries([batch('s-1', []), batch('s-2', [cellRun('a · 40 connections', 1)], {}, higher)]);
    expect(third.rows.map(({ cell }) => cell)).toEqual(['a · 40 connections']);
  });
});

describe('mergeSeries rejects', () => {
  it('a single batch, or the same one twice', () => {
    expect(refusal([])).toBe('NOT_ONE_TEST: One table is made of two series or more.');
    expect(refusal([batch('s-1', cellRuns(1))])).toBe('NOT_ONE_TEST: One table is made of two series or more.');
    expect(refusal([batch('s-1', cellRuns(1)), batch('s-1', cellRuns(1))])).toBe('NOT_ONE_TEST: One table is made of two series or more.');
  });

  it('a series that is still running', () => {
    expect(refusal([batch('s-1', cellRuns(1)), batch('s-2', [], { endedAt: null, state: 'running' })])).toBe(
      'STILL_GOING: The series s-2 is still running.',
    );
  });

  it.each<readonly [string, SeriesDocument]>([
    ['journey', document({}, { journey: [{ name: 'other' }] })],
    ['targets', document({}, { targets: [{ url: 'http://127.0.0.1:9/' }] })],
    ['variants', document({ variants: [{ name: 'b', factors: {} }] })],
    ['timeoutSeconds', document({}, { timeoutSeconds: 3 })],
    ['engine', document({}, { engine: 'native' })],
    ['places', document({ on: ['sp1'] })],
    ['fields', document({ levels: { seconds: [10] } })],
    ['model, fields', document({ levels: { users: [10] } }, { load: users([{ users: 1, seconds: 5 }]) })],
  ])('series whose %s differ', (field, other) => {
    expect(refusal([batch('s-1', cellRuns(1)), batch('s-2', [], {}, other)])).toBe(
      `NOT_ONE_TEST: s-1 and s-2 are not batches of one test: they differ in ${field}.`,
    );
  });

  it('but accepts another name, other levels, and other repeats', () => {
    const alike = document({ levels: { connections: [5] }, repeats: 9 }, { name: 'Again', story: 'Later.', seed: 7 });
    expect(refusal([batch('s-1', cellRuns(1)), batch('s-2', [], {}, alike)])).toBe('');
  });

  it('more runs than a table may have', () => {
    const many = (count: number): CellRun[] => Array.from({ length: count }, (_, index) => cellRun(cells[0], index + 1));
    expect(refusal([batch('s-1', many(251)), batch('s-2', many(250))])).toBe('NOT_ONE_TEST: Together they have 501 runs.');
    expect(refusal([batch('s-1', many(250)), batch('s-2', many(250))])).toBe('');
  });
});
