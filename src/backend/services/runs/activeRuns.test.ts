import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore, type Store } from '#backend/store/store.ts';
import { headFor, newRun } from '#backend/testing/runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { listTrends, readHistory } from './activeRuns.ts';

let directory = '';
let store: Store;
beforeEach(() => {
  directory = temporaryDirectory();
  store = openStore(directory);
});
afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

function add(id: string, minute: number, p95: number | 'never' | null, { name = 'page', target = 'http://a/' } = {}): void {
  const startedAt = new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
  const key = store.create(newRun(id, { head: headFor(id, { name, startedAt }), target }));
  store.end(key, { state: 'finished', endedAt: startedAt, because: null }, null);
  const summary = {
    outcome: 'measured',
    sentence: null,
    requests: 1,
    completedPerSecond: 1,
    p95,
    sparkline: [],
    rules: null,
    failed: 5,
    due: 100,
  } as const;
  store.saveResult(key, sampleResult(), summary);
}

it('listTrends returns each run after the earlier runs with its name and target', () => {
  add('1', 1, 10);
  add('2', 2, 'never');
  add('other name', 3, 99, { name: 'b' });
  add('other target', 4, 99, { target: 'http://b/' });
  add('3', 5, 30);
  add('4', 6, null);
  store.create(newRun('going', { head: headFor('going', { name: 'page' }), target: 'http://a/' }));
  expect(listTrends(store, ['3', '2', 'unknown', 'going'])).toEqual([
    { runId: '2', runIds: ['1', '2'], p95Ms: [10, 'never'] },
    { runId: '3', runIds: ['1', '2', '3'], p95Ms: [10, 'never', 30] },
  ]);
  expect(listTrends(store, ['4'])).toMatchObject([{ runId: '4', p95Ms: [10, 'never', 30, null] }]);
});

it('listTrends returns the last twelve runs, without deleted ones', () => {
  for (let run = 0; run < 15; run += 1) add(`run ${run}`, run, run);
  store.remove('run 10', 1);
  const [trend] = listTrends(store, ['run 14']);
  expect(trend?.p95Ms).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14]);
});

it('readHistory finds the run at which p95 became higher, among runs with the same name and target', () => {
  for (let run = 0; run < 24; run += 1) add(`run ${String(run).padStart(2, '0')}`, run, (run < 16 ? 100 : 130) + (run % 3));
  add('other target', 30, 900, { target: 'http://b/' });
  const { runs, changes } = readHistory(store, 'run 03');
  expect(runs).toHaveLength(24);
  // Bounds of Clopper and Pearson for 5 of 100.
  expect(runs[0]?.errors?.share).toBe(0.05);
  expect([runs[0]?.errors?.low, runs[0]?.errors?.high]).toEqual([expect.closeTo(0.0164, 4), expect.closeTo(0.1128, 4)]);
  expect(changes).toMatchObject([{ measure: 'p95', runId: 'run 16' }]);
  expect(changes[0]?.sentence).toMatch(/^p95 30 % higher \(2\d(?:\.\d)? % to 3\d(?:\.\d)? %\) since 2026-01-01, first in run run 16\.$/);
});
