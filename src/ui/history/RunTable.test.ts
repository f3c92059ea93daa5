import { expect, it } from 'vitest';
import type { RunRow } from '#contract/replies.ts';
import { groupedBySeries, countMarks } from './RunTable.tsx';
import { isByOlderRules, JUDGING_RULES } from '#core/result/verdict.ts';

function rowWith(id: string, seriesId?: string): RunRow {
  return {
    id,
    name: id,
    note: '',
    preset: null,
    startedAt: '2026-01-01T12:00:00.000Z',
    endedAt: null,
    state: 'running',
    endedBecause: null,
    holdfastVersion: '0',
    target: '',
    load: null,
    outcome: null,
    sentence: null,
    requests: 0,
    completedPerSecond: null,
    p95Ms: null,
    sparkline: [],
    ...(seriesId === undefined ? {} : { series: { id: seriesId, name: `series ${seriesId}`, cell: id, repeat: 1 } }),
  };
}

it('groupedBySeries: groups consecutive runs of a series and keeps all runs', () => {
  const rows = [rowWith('1', 's'), rowWith('2', 's'), rowWith('3'), rowWith('4', 't'), rowWith('5', 's')];
  const groups = groupedBySeries(rows);
  expect(groups.map(({ series, members }) => `${series?.name ?? '-'}: ${members.map(({ id }) => id).join('')}`)).toEqual([
    'series s: 12',
    '-: 3',
    'series t: 4',
    'series s: 5',
  ]);
});

it('countMarks: counts the marks of runs, most frequent first', () => {
  const endedRun = (state: RunRow['state'], outcome: RunRow['outcome']) => ({ state, outcome });
  const runs = [
    endedRun('finished', 'failed'),
    endedRun('finished', 'passed'),
    endedRun('stopped', 'measured'),
    endedRun('finished', 'passed'),
  ];
  expect(countMarks(runs)).toEqual([
    { mark: 'passed', count: 2 },
    { mark: 'failed', count: 1 },
    { mark: 'stopped', count: 1 },
  ]);
});

it('isByOlderRules: is true for verdicts by older rules, and false without a verdict', () => {
  const isMarked = (changes: Partial<RunRow>): boolean => isByOlderRules({ ...rowWith('1'), ...changes });
  expect(isMarked({ outcome: 'passed' })).toBe(true);
  expect(isMarked({ outcome: 'passed', rules: JUDGING_RULES - 1 })).toBe(true);
  expect(isMarked({ outcome: 'passed', rules: JUDGING_RULES })).toBe(false);
  expect(isMarked({})).toBe(false);
});
