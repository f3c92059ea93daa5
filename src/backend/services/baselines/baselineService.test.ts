import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { markStorable } from '#core/plan/hideSecrets.ts';
import type { RunHead, RunResult } from '#core/result/schema.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { openStore, type Store } from '#backend/store/store.ts';
import { planFor } from '#backend/testing/plans.ts';
import { headFor, newRun } from '#backend/testing/runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { createBaselineReaders } from '#backend/results/baselineReaders.ts';
import { createBaselineCalls } from './baselineService.ts';

const SERIES = { id: 's-1', name: 'Before', cell: 'the plan' };
const TIMES = [100, 101, 99, 100.5, 99.5];

describe('baselines', () => {
  let directory = '';
  let store: Store;
  let results: Map<string, RunResult>;
  let read: () => void;
  let calls: ReturnType<typeof createBaselineCalls> & ReturnType<typeof createBaselineReaders>;
  beforeEach(() => {
    directory = temporaryDirectory();
    store = openStore(directory);
    results = new Map();
    read = () => {};
    const getResult = (id: string): RunResult => {
      read();
      const result = results.get(id);
      if (result === undefined) throw new Error(`no result of ${id}`);
      return result;
    };
    calls = { ...createBaselineCalls(store), ...createBaselineReaders(store, getResult) };
  });
  afterEach(() => {
    store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  interface MadeRun {
    readonly minute: number;
    readonly ms?: number;
    readonly users?: number;
    readonly head?: Partial<RunHead>;
    readonly target?: string;
    /** Name of the plan, and of the run until the run is renamed. */
    readonly name?: string;
    readonly state?: 'finished' | 'stopped';
  }

  /** Stores an ended run in which every time was about `ms`. */
  function storeTimedRun(
    id: string,
    { minute, ms = 100, users = 50, head: changes = {}, target = 'http://127.0.0.1:1/', name = 'A test', state = 'finished' }: MadeRun,
  ): string {
    const startedAt = new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
    const head = headFor(id, { preset: 'contest-day', startedAt, name, ...changes });
    const key = store.create({ ...newRun(id), head, target, plan: markStorable(planFor(target, { name })) });
    store.end(key, { state, endedAt: startedAt, because: null }, null);
    const sample = sampleResult();
    const times = { ...sample.latency.response, p50: ms, p95: ms * 2, p99: ms * 3 };
    const load = { ...sample.plan.load, stages: sample.plan.load.stages.map((stage) => ({ ...stage, connections: users })) };
    results.set(
      id,
      sampleResult({
        run: { ...sample.run, ...head, endedAt: startedAt, state },
        plan: { ...sample.plan, load: load as typeof sample.plan.load },
        latency: { ...sample.latency, response: times },
        rates: { ...sample.rates, completedPerSecond: 20_000 / ms },
      }),
    );
    return id;
  }

  const makeFive = (): string[] =>
    TIMES.map((ms, index) => storeTimedRun(`base-${index}`, { minute: index, ms, head: { series: { ...SERIES, repeat: index + 1 } } }));
  const compare = async (runId: string) => calls['baselines.compare']({ runId });

  it('include all repeats of a cell and are compared with later runs of the preset', async () => {
    const ids = makeFive();
    expect(await calls['baselines.set']({ runIds: ['base-2'] })).toEqual({ runIds: ids });
    expect(await compare('base-0')).toMatchObject({ isPart: true, comparison: null, baseline: { question: 'contest-day', runIds: ids } });

    const same = await compare(storeTimedRun('same', { minute: 20, ms: 100.7 }));
    expect(same.comparison?.pairs[0]?.conclusion).toBe('withinNoise');
    expect(same.comparison?.pairs[0]?.sentence).toMatch(/^No difference between .* Still possible for/);
    const slow = await compare(storeTimedRun('slow', { minute: 21, ms: 120 }));
    expect(slow.comparison?.pairs[0]).toMatchObject({ conclusion: 'differs' });
    expect(slow.comparison?.pairs[0]?.sentence).toMatch(
      /is worse than “the baseline”: p95 240 ms instead of 200 ms, \+20 % \(99 % interval: \+1[4-9].* to \+2[0-9]/,
    );
    const { standings } = await calls['baselines.standings']({ runIds: ['base-0', 'same', 'slow'] });
    expect(standings.map(({ runId, standing }) => [runId, standing])).toEqual([
      ['base-0', 'isBaseline'],
      ['same', 'withinNoise'],
      ['slow', 'worse'],
    ]);
  });

  it('are not compared with themselves, only with other repeats', async () => {
    const ids = makeFive();
    await calls['baselines.set']({ runIds: ['base-0'] });
    const repeatHead = (number: number) => ({ head: { series: { ...SERIES, repeat: number } } });
    const cut = await compare(storeTimedRun('cut', { minute: 5, state: 'stopped', ...repeatHead(6) }));
    const idsOf = ({ comparison }: typeof cut) => comparison?.sides.map(({ runs }) => runs.map(({ id }) => id));
    expect([cut.isPart, idsOf(cut), cut.comparison?.pairs[0]?.conclusion]).toEqual([false, [ids, ['cut']], 'tooFew']);
    const resumed = await compare(storeTimedRun('resumed', { minute: 6, ms: 120, ...repeatHead(7) }));
    expect(idsOf(resumed)).toEqual([ids, ['cut', 'resumed']]);
    expect(resumed.comparison?.pairs[0]?.sentence).toContain('is worse than “the baseline”');
  });

  it('belong to their plan even if its runs are renamed', async () => {
    const ofPlan = { name: 'A page', head: { preset: null } };
    storeTimedRun('first', { minute: 0, ...ofPlan });
    store.rename('first', 'Before the patch');
    await calls['baselines.set']({ runIds: ['first'] });
    store.rename('first', 'Without the cache');
    expect(await compare('first')).toMatchObject({ isPart: true, baseline: { question: 'A page', isPreset: false } });
    storeTimedRun('later', { minute: 5, ...ofPlan });
    store.rename('later', 'After the patch');
    const { baseline, comparison } = await compare('later');
    expect([baseline?.runIds, comparison?.sides.map(({ name }) => name)]).toEqual([['first'], ['the baseline', 'After the patch']]);
    expect(await calls['baselines.remove']({ runId: 'first' })).toEqual({ runIds: ['first'] });
  });

  it('are looked up once per list, and let other tasks run while long results are read', async () => {
    makeFive();
    await calls['baselines.set']({ runIds: ['base-0'] });
    const series = { ...SERIES, id: 's-2', name: 'After' };
    const ids = TIMES.map((ms, index) =>
      storeTimedRun(`now-${index}`, { minute: 20 + index, ms, head: { series: { ...series, repeat: index + 1 } } }),
    );
    const queries = vi.spyOn(store, 'endedOfCell');
    const order: string[] = [];
    read = () => {
      const until = performance.now() + 15;
      let now = 0;
      while (now < until) now = performance.now();
      order.push('read');
    };
    setImmediate(() => order.push('another'));
    const { standings } = await calls['baselines.standings']({ runIds: ids });
    expect(standings.map(({ standing }) => standing)).toEqual(ids.map(() => 'withinNoise'));
    expect(queries).toHaveBeenCalledTimes(1);
    expect(order.indexOf('another')).toBeLessThan(order.lastIndexOf('read'));
  });

  it("make no claim about a different plan, and list the plan's differences", async () => {
    makeFive();
    await calls['baselines.set']({ runIds: ['base-0'] });
    const { comparison } = await compare(storeTimedRun('heavier', { minute: 20, ms: 130, users: 80 }));
    expect(comparison?.pairs[0]).toMatchObject({ conclusion: 'refused' });
    expect(comparison?.pairs[0]?.reasons[0]).toMatch(/^The plans differ: connections of stage “.*” \(50 \/ 80\)/);
  });

  it('that consist of one run allow no statement about differences', async () => {
    await calls['baselines.set']({ runIds: [storeTimedRun('only', { minute: 0 })] });
    const { comparison } = await compare(storeTimedRun('later', { minute: 5, ms: 500 }));
    expect(comparison?.pairs[0]).toMatchObject({ conclusion: 'tooFew' });
  });

  it('belong to a preset at a target, and are not compared with earlier runs', async () => {
    storeTimedRun('earlier', { minute: 0 });
    await calls['baselines.set']({ runIds: [storeTimedRun('named', { minute: 5 })] });
    expect(await compare('earlier')).toMatchObject({ comparison: null, isPart: false, baseline: { runIds: ['named'] } });
    for (const other of [
      storeTimedRun('elsewhere', { minute: 9, target: 'http://127.0.0.1:2/' }),
      storeTimedRun('other', { minute: 9, head: { preset: 'node-vs-gunicorn' } }),
      storeTimedRun('plan', { minute: 9, name: 'contest-day', head: { preset: null } }),
    ])
      expect(await compare(other), other).toEqual({ baseline: null, isPart: false, comparison: null });
  });

  it('can be replaced, removed and set again, and are deleted when their runs are', async () => {
    await calls['baselines.set']({ runIds: [storeTimedRun('first', { minute: 0 })] });
    await calls['baselines.set']({ runIds: [storeTimedRun('second', { minute: 1 })] });
    const listBaselines = async () => (await calls['baselines.list']({})).baselines.map(({ runIds }) => runIds);
    expect(await listBaselines()).toEqual([['second']]);
    expect(await calls['baselines.remove']({ runId: 'first' })).toEqual({ runIds: ['second'] });
    expect(await listBaselines()).toEqual([]);
    expect(await calls['baselines.remove']({ runId: 'first' })).toEqual({ runIds: [] });
    await calls['baselines.set']({ runIds: ['second'] });
    store.remove('second', Date.now());
    expect(await listBaselines()).toEqual([]);
    store.restore('second');
    expect(await listBaselines()).toEqual([['second']]);
  });

  it('cannot consist of different tests or interrupted runs', async () => {
    storeTimedRun('one', { minute: 0 });
    storeTimedRun('other', { minute: 1, target: 'http://127.0.0.1:2/' });
    expect(() => calls['baselines.set']({ runIds: ['one', 'other'] })).toThrow(/different questions, targets or cells/);
    const cells = ['one user', 'two users'].map((cell) =>
      storeTimedRun(cell, { minute: 1, head: { series: { ...SERIES, cell, repeat: 1 } } }),
    );
    expect(() => calls['baselines.set']({ runIds: cells })).toThrow(/different questions, targets or cells/);
    expect(() => calls['baselines.set']({ runIds: [storeTimedRun('cut', { minute: 2, state: 'stopped' })] })).toThrow(
      /None of these runs finished/,
    );
    store.create({ ...newRun('going'), head: headFor('going', { preset: 'contest-day', series: { ...SERIES, repeat: 1 } }) });
    expect(() => calls['baselines.set']({ runIds: ['going'] })).toThrow(/None of these runs finished/);
  });
});
