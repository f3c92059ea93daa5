import Database from 'better-sqlite3';
import { rmSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { markStorable } from '#core/plan/hideSecrets.ts';
import { seriesSchema } from '#core/plan/schema/series.ts';
import { readOwnIdentity } from '#engine/processIdentity.ts';
import { storeResult } from '#backend/results/resultOf.ts';
import { planFor } from '../testing/plans.ts';
import { headFor, newRun } from '../testing/runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { syntheticGeneratorWindow } from '../testing/windows.ts';
import { openDatabase } from './database.ts';
import { openStore, storeOn, type Store } from './store.ts';

const progress = { requests: 10, completedPerSecond: 10, nowMs: 1 };
const EVERYTHING = { search: '', limit: 100, offset: 0 };
const ENDING = { state: 'finished', endedAt: new Date(0).toISOString(), because: null } as const;

describe('the store', () => {
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

  it('returns what was written, also after it was reopened', () => {
    const key = store.create(newRun('a'));
    const generatorWindow = syntheticGeneratorWindow(0, { perSecond: 100, overloadedBy: ['steal'] });
    store.append(key, generatorWindow, progress);
    store.addEvent(key, { second: 0, kind: 'note', text: 'hello', data: { a: 1 } });
    store.close();
    store = openStore(directory);
    const [read] = store.generatorWindows(key);
    expect(read?.window.cells[0]?.times.serviceOk?.totalCount).toBe(100);
    expect(read?.reading).toEqual(generatorWindow.reading);
    expect(read?.window.overloadedBy).toEqual(['steal']);
    expect(store.events(key)).toEqual([{ second: 0, kind: 'note', text: 'hello', data: { a: 1 } }]);
    expect(store.find('a')).toMatchObject({ requests: 10, state: 'running' });
  });

  it('waits for the disk at the end of a run and for its result, but not for windows', () => {
    store.close();
    const database = openDatabase(store.path);
    store = storeOn(database, store.path);
    database.exec('CREATE TEMP TABLE synced (what TEXT, level INTEGER)');
    for (const [what, when] of [
      ['create', 'INSERT ON runs'],
      ['window', 'INSERT ON windows'],
      ['end', 'UPDATE OF ended_at ON runs'],
      ['summary', 'UPDATE OF sentence ON runs'],
    ])
      database.exec(
        `CREATE TEMP TRIGGER at_${what} AFTER ${when} BEGIN INSERT INTO synced SELECT '${what}', synchronous FROM pragma_synchronous; END`,
      );
    const key = store.create(newRun('a'));
    store.append(key, syntheticGeneratorWindow(0, { perSecond: 10 }), progress);
    store.end(key, ENDING, null);
    storeResult(store, store.find('a'));
    const [NORMAL, FULL] = [1, 2];
    expect(database.prepare('SELECT what, level FROM synced').raw().all()).toEqual([
      ['create', FULL],
      ['window', NORMAL],
      ['end', FULL],
      ['summary', FULL],
    ]);
    database.close();
  });

  it('reads plans that were stored with earlier field names', () => {
    const plan = planFor('http://127.0.0.1:1/', { monitors: [{ kind: 'machine', containers: 'none' }] });
    const key = store.create(newRun('a', { plan: markStorable(plan) }));
    const head = {
      id: 's',
      name: 'A series',
      startedAt: new Date(0).toISOString(),
      endedAt: null,
      state: 'running',
      endedBecause: null,
    } as const;
    store.series.create({
      head,
      document: markStorable({ plan, series: seriesSchema.parse({}) }),
      runs: [],
      owner: readOwnIdentity(),
      nowMs: 1,
    });
    store.close();
    const database = openDatabase(store.path);
    for (const [table, column] of [
      ['run_details', 'plan'],
      ['series', 'document'],
    ])
      database.exec(`UPDATE ${table} SET ${column} = replace(${column}, '"containers":"none"', '"containers":"docker"')`);
    database.close();
    store = openStore(directory);
    const plans = [store.details(key).plan, store.series.find('s').document.plan];
    expect(plans.map(({ monitors }) => monitors)).toEqual([plan.monitors, plan.monitors]);
  });

  it('keeps the first end of a run and ignores later ones', () => {
    const key = store.create(newRun('a'));
    expect(store.end(key, ENDING, null)).toBe(true);
    expect(store.end(key, { ...ENDING, state: 'interrupted' }, null)).toBe(false);
    store.setState(key, 'running', 5);
    expect(store.find('a').state).toBe('finished');
  });

  it('removes, restores and purges runs', () => {
    const key = store.create(newRun('a'));
    expect(() => store.remove('a', 1)).toThrow(expect.objectContaining({ code: 'RUN_GOING' }));
    store.end(key, ENDING, null);
    store.remove('a', 1);
    expect(() => store.find('a')).toThrow(expect.objectContaining({ code: 'NO_SUCH_RUN' }));
    expect(store.list(EVERYTHING).total).toBe(0);
    store.restore('a');
    expect(store.list(EVERYTHING).total).toBe(1);
    store.remove('a', 1);
    expect(store.purge(1)).toBe(0);
    expect([store.isNamed('"holdfast":1'), store.isNamed('nowhere')]).toEqual([true, false]);
    expect(store.purge(2)).toBe(1);
    expect(store.isNamed('"holdfast":1')).toBe(false);
    expect(() => store.restore('a')).toThrow(expect.objectContaining({ code: 'NO_SUCH_RUN' }));
  });

  it('lists all other runs in spite of a damaged row', () => {
    for (const id of ['a', 'b', 'c']) store.create(newRun(id));
    const other = new Database(store.path);
    other.exec("UPDATE runs SET sparkline = '[1, 2' WHERE id = 'a'; UPDATE runs SET outcome = 'unheard of' WHERE id = 'b'");
    other.close();
    expect(store.list(EVERYTHING).runs.map(({ id, sparkline }) => [id, sparkline])).toEqual(
      expect.arrayContaining([
        ['a', []],
        ['c', []],
      ]),
    );
  });

  it("lists the load size of each run's plan", () => {
    store.create(newRun('a'));
    const size = { unit: 'connections', highest: 2, seconds: null, requests: 50 };
    expect(store.list(EVERYTHING).runs).toMatchObject([{ id: 'a', load: size }]);
    expect(store.listUnended()).toMatchObject([{ id: 'a', load: expect.any(String) }]);
  });

  it('finds runs by literal words in any of their texts', () => {
    store.create(newRun('a', { head: headFor('a', { name: 'Monday 100% load', preset: 'contest' }) }));
    store.create(newRun('b', { head: headFor('b', { name: 'Tuesday' }), target: 'http://monday.example/' }));
    store.annotate('b', 'after the upgrade');
    const findIds = (search: string): string[] => store.list({ ...EVERYTHING, search }).runs.map(({ id }) => id);
    expect(findIds('monday')).toEqual(['b', 'a']);
    expect(findIds('monday upgrade')).toEqual(['b']);
    expect(findIds('100%')).toEqual(['a']);
    expect(findIds('1_0')).toEqual([]);
    expect(findIds("'; DROP TABLE runs; --")).toEqual([]);
    expect(store.list({ ...EVERYTHING, preset: 'contest' }).total).toBe(1);
    expect(store.list({ ...EVERYTHING, outcome: 'running' }).total).toBe(2);
  });

  it('pages through runs, newest first', () => {
    for (let index = 0; index < 25; index++)
      store.create(newRun(`run-${index}`, { head: headFor(`run-${index}`, { startedAt: new Date(index * 1_000).toISOString() }) }));
    const page = store.list({ search: '', limit: 10, offset: 10 });
    expect(page.total).toBe(25);
    expect(page.runs.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, index) => `run-${14 - index}`));
  });

  it('pages through an index without sorting all runs', () => {
    store.close();
    const database = openDatabase(store.path);
    const steps = z
      .array(z.object({ detail: z.string() }))
      .parse(database.prepare(`EXPLAIN QUERY PLAN SELECT * FROM runs WHERE deleted_ms IS NULL ORDER BY started_at DESC, key DESC`).all());
    expect(steps.map(({ detail }) => detail)).toEqual([expect.stringContaining('USING INDEX runs_newest')]);
    database.close();
    store = openStore(directory);
  });

  it('folds old windows without losing a count, and never merges overloaded seconds with other seconds', () => {
    const key = store.create(newRun('a'));
    const load = { perSecond: 3 };
    for (let second = 0; second <= 3_620; second++)
      store.append(key, syntheticGeneratorWindow(second, second === 4 ? { ...load, overloadedBy: ['threadCpu'] } : load), progress);
    const windows = store.generatorWindows(key).map(({ window }) => window);
    expect(windows.slice(0, 5).map(({ second, width, overloadedBy }) => [second, width, overloadedBy.length])).toEqual([
      [0, 4, 0],
      [4, 1, 1],
      [5, 5, 0],
      [10, 10, 0],
      [20, 1, 0],
    ]);
    const started = windows.reduce((sum, { cells }) => sum + cells.reduce((inner, cell) => inner + cell.started, 0), 0);
    expect(started).toBe(3 * 3_621);
    expect(store.readings(key, 0)).toHaveLength(windows.length);
  });

  it('reports a full disk and keeps what was stored', () => {
    const key = store.create(newRun('a'));
    for (let second = 0; second < 20; second++) store.append(key, syntheticGeneratorWindow(second, { perSecond: 500 }), progress);
    store.close();
    store = openStore(directory, { maxBytes: statSync(store.path).size + 4 * 32_768 });
    let stored = 20;
    const appendUntilFull = (): void => {
      for (; stored < 1_000; stored++) store.append(key, syntheticGeneratorWindow(stored, { perSecond: 500 }), progress);
    };
    expect(appendUntilFull).toThrow(expect.objectContaining({ code: 'DISK_FULL', message: expect.stringContaining(store.path) }));
    expect(store.generatorWindows(key)).toHaveLength(stored);
    expect(store.end(key, { ...ENDING, state: 'failed' }, null)).toBe(true);
  });
});
