import { describe, expect, it } from 'vitest';
import type { SeriesDocument } from '#core/plan/schema/series.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { planWith, users } from '#core/testing/plans.ts';
import { type Batch, batchOfRun, mergeSeries } from './merge.ts';
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

  it('keeps the name of the first batch, and lasts from the earliest start to the latest end', () => {
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

  it('returns a stopped series if one batch was stopped', () => {
    const stopped = mergeSeries([batch('s-1', cellRuns(1)), batch('s-2', cellRuns(1), { state: 'stopped' })]);
    expect(stopped.series).toMatchObject({ state: 'stopped', endedBecause: 'Not every batch went to its end.' });
  });

  it('contains the levels of all batches in order, and no row without runs', () => {
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

describe('mergeSeries of single runs', () => {
  const run = (id: string, changes: Partial<PlanInput> = {}, okPerSecond = 50, on?: string[]): Batch =>
    batchOfRun(
      {
        ...sampleResult().run,
        id,
        startedAt: '2026-01-02T12:30:00.000Z',
        endedAt: '2026-01-02T13:00:00.000Z',
        state: 'finished',
        endedBecause: null,
      },
      planWith(changes),
      on,
      { state: 'value', reason: null, figures: figuresWith({ okPerSecond }) },
    );
  const at = (port: number): Partial<PlanInput> => ({ targets: [{ url: `http://127.0.0.1:${port}/` }] });
  const rowsOf = (batches: readonly Batch[]) =>
    mergeSeries(batches).rows.map(({ cell, values, okPerSecond }) => [cell, values, okPerSecond?.median]);

  it('counts runs of one plan at one target as repeats of one cell', () => {
    const merged = mergeSeries([run('r-1', at(1), 10), run('r-2', { ...at(1), name: 'Renamed' }, 30), run('r-3', at(1), 20)]);
    expect(merged.rows).toHaveLength(1);
    expect(merged.rows[0]).toMatchObject({ values: 3, okPerSecond: { median: 20, least: 10, most: 30 } });
    expect(merged.rows[0]?.runs.map(({ runId, repeat }) => [runId, repeat])).toEqual([
      ['r-1', 1],
      ['r-2', 2],
      ['r-3', 3],
    ]);
    expect(merged.notes[0]).toBe('Batch 1, r-1 of 2026-01-02 12:30: 1 cell, 1 run, 100 requests, 100 successful.');
    expect(merged.notes.join(' ')).not.toContain('in turn');
  });

  it('makes a variant of each target', () => {
    const batches = [run('r-1', at(1), 10), run('r-2', at(2), 40), run('r-3', at(1), 20)];
    expect(rowsOf(batches)).toEqual([
      ['http://127.0.0.1:1/', 2, 15],
      ['http://127.0.0.1:2/', 1, 40],
    ]);
    expect(mergeSeries(batches).notes).toContain(
      'The variants were not run in turn: whatever else changed between the batches is part of their differences.',
    );
  });

  it('adds single runs to a series with a variant for each target', () => {
    const [one, two] = ['http://127.0.0.1:1/', 'http://127.0.0.1:2/'];
    const variants = [one, two].map((url) => ({ name: url, targets: [{ url }] }));
    const series = batch(
      's-1',
      [one, two].map((cell) => cellRun(cell, 1)),
      {},
      documentWith({ variants }, at(1)),
    );
    expect(rowsOf([series, run('r-1', at(2)), run('r-2', at(3))])).toEqual([
      [one, 1, 50],
      [two, 2, 50],
      ['http://127.0.0.1:3/', 1, 50],
    ]);
  });

  it('rejects other loads, other generators and runs in progress', () => {
    const first = run('r-1', at(1));
    const load: PlanInput['load'] = { model: 'connections', stages: [{ connections: 77, seconds: 9 }] };
    expect(refusal([first, run('r-2', { ...at(1), load })])).toBe('NOT_ONE_TEST: r-1 and r-2 are not of one test: they differ in load.');
    expect(refusal([first, run('r-2', at(1), 50, ['web1'])])).toContain('they differ in places');
    const running = batchOfRun({ ...sampleResult().run, id: 'r-2', endedAt: null, state: 'running' }, planWith(at(1)), undefined, {
      state: 'running',
      reason: null,
      figures: null,
    });
    expect(refusal([first, running])).toBe('STILL_GOING: r-2 is still running.');
  });
});

describe('mergeSeries rejects', () => {
  it('a single batch, or the same batch twice', () => {
    expect(refusal([])).toBe('NOT_ONE_TEST: One table is made of two series or runs or more.');
    expect(refusal([batch('s-1', cellRuns(1))])).toBe('NOT_ONE_TEST: One table is made of two series or runs or more.');
    expect(refusal([batch('s-1', cellRuns(1)), batch('s-1', cellRuns(1))])).toBe(
      'NOT_ONE_TEST: One table is made of two series or runs or more.',
    );
  });

  it('a series that is still running', () => {
    expect(refusal([batch('s-1', cellRuns(1)), batch('s-2', [], { endedAt: null, state: 'running' })])).toBe(
      'STILL_GOING: s-2 is still running.',
    );
  });

  it.each<readonly [string, SeriesDocument]>([
    ['journey', document({}, { journey: [{ name: 'other' }] })],
    ['the targets of “a”', document({}, { targets: [{ url: 'http://127.0.0.1:9/' }] })],
    ['timeoutSeconds', document({}, { timeoutSeconds: 3 })],
    ['engine', document({}, { engine: 'native' })],
    ['places', document({ on: ['sp1'] })],
    ['fields', document({ levels: { seconds: [10] } })],
    ['model, fields', document({ levels: { users: [10] } }, { load: users([{ users: 1, seconds: 5 }]) })],
  ])('series whose %s differ', (field, other) => {
    expect(refusal([batch('s-1', cellRuns(1)), batch('s-2', [], {}, other)])).toBe(
      `NOT_ONE_TEST: s-1 and s-2 are not of one test: they differ in ${field}.`,
    );
  });

  it('nothing because of other variants', () => {
    const other = document({ variants: [{ name: 'b', factors: {} }] }, { targets: [{ url: 'http://127.0.0.1:9/' }] });
    const { rows } = mergeSeries([batch('s-1', cellRuns(1)), batch('s-2', [cellRun('b · 10 connections', 1)], {}, other)]);
    expect(rows.map(({ cell }) => cell)).toEqual([...cells, 'b · 10 connections']);
  });

  it('nothing because of another name, other levels, or other repeats', () => {
    const alike = document({ levels: { connections: [5] }, repeats: 9 }, { name: 'Again', story: 'Later.', seed: 7 });
    expect(refusal([batch('s-1', cellRuns(1)), batch('s-2', [], {}, alike)])).toBe('');
  });

  it('more runs than a table may have', () => {
    const many = (count: number): CellRun[] => Array.from({ length: count }, (_, index) => cellRun(cells[0], index + 1));
    expect(refusal([batch('s-1', many(251)), batch('s-2', many(250))])).toBe('NOT_ONE_TEST: Together they have 501 runs.');
    expect(refusal([batch('s-1', many(250)), batch('s-2', many(250))])).toBe('');
  });
});
