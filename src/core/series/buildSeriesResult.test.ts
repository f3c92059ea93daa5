import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSeriesResult, computeSpread } from './buildSeriesResult.ts';
import { cellText } from '#core/presentation/document/model.ts';
import { seriesTable } from '#core/presentation/document/seriesTables.ts';
import { formatSeriesCsv } from './format.ts';
import { judgeRow } from './criteria.ts';
import { seriesResultSchema, type CellFigures, type CellRun, type SeriesHead, type SeriesResult } from './result.ts';
import { cellRun, documentWith, figuresWith } from './testing/series.ts';

const head: SeriesHead = {
  id: 's-1',
  name: 'A test',
  startedAt: '2026-01-01T12:00:00.000Z',
  endedAt: '2026-01-01T12:10:00.000Z',
  state: 'finished',
  endedBecause: null,
};
const variants = [
  { name: 'a', factors: { ram: '4 GB' } },
  { name: 'b', factors: { cores: 2 } },
];
const build = (runs: CellRun[], repeats = 3) => buildSeriesResult(head, documentWith({ variants, repeats }), runs);
const makeTable = (result: SeriesResult): string[][] =>
  seriesTable(result).flatMap(({ columns, rows }) => [columns.map(({ name }) => name), ...rows.map((row) => row.map(cellText))]);
const withRate = (cell: string, rates: readonly number[], changes: Partial<CellRun> = {}): CellRun[] =>
  rates.map((rate, index) =>
    cellRun(cell, index + 1, { figures: figuresWith({ completedPerSecond: rate, okPerSecond: rate }), ...changes }),
  );

describe('buildSeriesResult', () => {
  it('computes medians over complete runs, and keeps the figures of a stopped run', () => {
    const aborted = cellRun('a', 3, {
      state: 'aborted',
      reason: 'You stopped it.',
      figures: figuresWith({ sent: 9_990, completedPerSecond: 7 }),
    });
    const { rows, best } = build([...withRate('a', [40, 60]), aborted, ...withRate('b', [10, 20, 30])]);
    expect(rows[0]).toMatchObject({
      state: 'value',
      values: 2,
      throughput: { median: 50, least: 40, most: 60 },
      note: 'Aborted after 9,990 requests: You stopped it.',
    });
    expect(rows[0]?.runs[2]?.figures?.completedPerSecond).toBe(7);
    expect(rows[1]).toMatchObject({ throughput: { median: 20, least: 10, most: 30 }, note: null });
    expect(best, 'three repeats are too few').toBeNull();
    const more = build([...withRate('a', [40, 60, 50, 55, 45]), aborted, ...withRate('b', [10, 20, 30, 25, 15])], 6);
    expect(more.best?.cell, 'a cell with an aborted run is not the best').toBe('b');
  });

  it('reports a run whose result could not be read, without figures', () => {
    const unread = cellRun('a', 1, { state: 'unread', reason: 'It stopped.', figures: null });
    const deleted = cellRun('b', 1, { state: 'aborted', reason: 'It was killed.', figures: null });
    const result = build([unread, deleted], 1);
    expect(result.rows.map(({ state, note }) => [state, note])).toEqual([
      ['unread', 'Load was put on, but the result could not be read: It stopped.'],
      ['aborted', 'Aborted: It was killed.'],
    ]);
    expect(result.done).toBe(2);
    expect(result.notes.join(' ')).not.toContain('were not made');
    expect(makeTable(result)[1]).toContain('Result not read');
    expect(formatSeriesCsv(result)).toContain('unread');
  });

  it('marks no cell as best that failed a criterion, and none before the end', () => {
    const missed = withRate('a', [99, 99, 99, 99, 99]).map((run) => ({
      ...run,
      figures: figuresWith({ okPerSecond: 99, outcome: 'failed' as const }),
    }));
    const runs = [...missed, ...withRate('b', [1, 1, 1, 1, 1])];
    expect(build(runs, 5).best?.cell).toBe('b');
    expect(buildSeriesResult({ ...head, endedAt: null, state: 'running' }, documentWith({ variants, repeats: 3 }), runs).best).toBeNull();
  });

  it('marks the best only if its repeats differ significantly from every other cell', () => {
    const reported = (a: number[], b: number[]) => {
      const { best, notes } = build([...withRate('a', a), ...withRate('b', b)], a.length);
      return [best?.cell ?? null, notes.filter((note) => note.includes('most successful responses'))] as const;
    };
    expect(reported([20, 21, 22, 23, 24], [10, 11, 12, 13, 14])).toEqual(['a', []]);
    expect(reported([20, 21, 22, 23], [10, 11, 12, 13])).toEqual([null, [expect.stringContaining('fewer than 5 repeats')]]);
    expect(reported([20, 21, 22, 23, 24], [19, 20, 22, 23, 25])).toEqual([null, [expect.stringContaining('beside “b”')]]);
    const ledBy = (a: number[], b: number[]) => build([...withRate('a', a), ...withRate('b', b)], a.length).best?.reason;
    expect(ledBy([20, 21, 22, 23, 24], [16, 17, 17, 17, 18])).toBe(
      '29 % more successful responses a second than “b”: 22 vs 17 (5 runs each).',
    );
    expect(ledBy([20, 21, 22, 23, 24], [10, 10, 10, 10, 10])).toBe(
      '2.2 times as many successful responses a second as “b”: 22 vs 10 (5 runs each).',
    );
    expect(ledBy([20, 21, 22, 23, 24], [0, 0, 0, 0, 0])).toBe('Successful responses a second where “b” had none: 22 vs 0 (5 runs each).');
    expect(reported([20], [10])).toEqual([null, [expect.stringContaining('“a” had the most successful responses a second')]]);
  });

  it('states whether differences exceed the variation between runs of a cell', () => {
    const judged = (a: number[], b: number[]) =>
      build([...withRate('a', a), ...withRate('b', b)], a.length).differences.find(({ measure }) => measure === 'throughput');
    expect(judged([10, 12, 11], [11, 10, 12])).toMatchObject({ judgement: 'withinNoise', ratio: 1 });
    expect(judged([10, 10], [20, 20])).toMatchObject({ judgement: 'tooFew', ratio: 2 });
    expect(judged([10, 11, 12, 13, 14], [20, 21, 22, 23, 24])).toMatchObject({ judgement: 'differs', reference: 'a', variant: 'b' });
  });

  it('reports cells that were not run or refused, and that a single run per cell proves nothing', () => {
    const runs = [
      cellRun('a', 1, { state: 'refused', reason: 'Nobody there.', figures: null, runId: null }),
      cellRun('b', 1, { state: 'notRun', reason: 'It was stopped.', figures: null, runId: null }),
    ];
    const { rows, notes, done } = build(runs, 1);
    expect(rows.map(({ state, note }) => `${state} ${note}`)).toEqual([
      'refused Refused: Nobody there.',
      'notRun Not run: It was stopped.',
    ]);
    expect(notes).toEqual([
      '1 of 2 runs were not made.',
      'Every cell was run once, so how much of a difference is chance is unknown. Repeat the series.',
    ]);
    expect(done).toBe(1);
  });

  it('reports fewer users with longer waits than more users', () => {
    const users = [100, 200, 400];
    const makeTable = (p95: readonly number[]) => {
      const runs = users.map((count, index) =>
        cellRun(`${count} users`, 1, { figures: figuresWith({ ok: 500, p95: p95[index] ?? null, p99: p95[index] ?? null }) }),
      );
      return buildSeriesResult(head, documentWith({ levels: { users } }), runs).notes.filter((note) => note.startsWith('Not steady'));
    };
    expect(makeTable([116, 2_415, 1_000])).toEqual([expect.stringContaining('at “200 users” 5 %')]);
    expect(makeTable([116, 1_000, 2_415])).toEqual([]);
  });

  it('survives JSON, and has one line per cell in table and CSV', () => {
    const result = build([...withRate('a', [1, 2, 3]), ...withRate('b', [4, 5, 6])]);
    expect(seriesResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
    expect(makeTable(result).map((line) => line.slice(0, 6))).toEqual([
      ['Cell', 'ram', 'cores', 'State', 'Complete runs', 'Responses/s'],
      ['a', '4 GB', '', 'Measured', '3 of 3', '2/s (1/s to 3/s)'],
      ['b', '', '2', 'Measured', '3 of 3', '5/s (4/s to 6/s)'],
    ]);
    const lines = formatSeriesCsv(result).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^cell,variant,factor_ram,factor_cores,state,whole_runs,runs,responses_per_second,responses_per_second_least/);
    expect(lines[1]).toMatch(/^a,a,4 GB,,value,3,3,2,1,3,/);
    expect(lines.length).toBe(3);
  });

  it('compares successful responses, because a proxy that times out everything is quick, too', () => {
    const failing = cellRun('b', 1, { figures: figuresWith({ completedPerSecond: 90, okPerSecond: 2 }) });
    const { differences } = build([...withRate('a', [50]), failing], 1);
    expect(differences.find(({ measure }) => measure === 'throughput')).toMatchObject({ ratio: 0.04 });
    expect(differences[0]?.text).toContain('“b” has 96 % fewer successful responses a second than “a”');
    expect(differences.find(({ measure }) => measure === 'p95')?.text).toBe('“b” and “a” do not differ in p95 (20 ms vs 20 ms).');
  });

  it('states for each cell whether all of its runs passed, if there are criteria', () => {
    const row = (...outcomes: readonly (CellFigures['outcome'] | null)[]): ReturnType<typeof judgeRow> =>
      judgeRow({
        runs: outcomes.map((outcome, index) => cellRun('a', index + 1, { figures: outcome === null ? null : figuresWith({ outcome }) })),
      });
    expect(row('passed', 'passed', null)).toBe('passed');
    expect(row('passed', 'inconclusive')).toBe('inconclusive');
    expect([row('failed', 'failed'), row('inconclusive', 'failed')]).toEqual(['failed', 'failed']);
    expect([row('passed', 'failed'), row('passed', 'inconclusive', 'failed')]).toEqual(['withinNoise', 'withinNoise']);
    expect([row('measured', 'measured'), row(null), row()]).toEqual([null, null, null]);
    const judged = [
      cellRun('a', 1, { figures: figuresWith({ outcome: 'failed' }) }),
      cellRun('b', 1, { figures: figuresWith({ outcome: 'passed' }) }),
    ];
    const noisy = [...judged, cellRun('a', 2, { figures: figuresWith({ outcome: 'passed' }) }), cellRun('b', 2, { state: 'aborted' })];
    expect(makeTable(build(noisy, 2)).map((line) => line[4])).toEqual(['Criteria', 'Within noise', 'Passed']);
    expect(makeTable(build(judged, 1)).map((line) => line.slice(3, 6))).toEqual([
      ['State', 'Criteria', 'Complete runs'],
      ['Measured', 'Failed', '1 of 1'],
      ['Measured', 'Passed', '1 of 1'],
    ]);
  });

  it('reports the share of cached responses if any run reports it', () => {
    const cached = [cellRun('a', 1, { figures: figuresWith({ fromCache: 0.9 }) }), cellRun('b', 1)];
    const [head = [], a = [], b = []] = makeTable(build(cached, 1));
    const at = head.indexOf('From a cache');
    expect([a[at], b[at]]).toEqual(['90 %', '–']);
    const [columns = '', line = ''] = formatSeriesCsv(build(cached, 1)).split('\r\n');
    expect(columns).toContain('failed_share_most,from_cache_share,from_cache_share_least,from_cache_share_most,note');
    expect(line).toContain(',0.9,0.9,0.9,');
    expect(makeTable(build(withRate('a', [1]), 1))[0]).not.toContain('From a cache');
    expect(formatSeriesCsv(build(withRate('a', [1]), 1))).not.toContain('from_cache');
  });

  it('computes spreads with the median between the extremes', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 }), (values) => {
        const spread = computeSpread(values);
        if (spread === null) throw new Error('there are values');
        expect(spread.least <= spread.median && spread.median <= spread.most).toBe(true);
        const half = values.length / 2;
        expect(values.filter((value) => value < spread.median).length).toBeLessThanOrEqual(half);
        expect(values.filter((value) => value > spread.median).length).toBeLessThanOrEqual(half);
      }),
    );
  });
});
