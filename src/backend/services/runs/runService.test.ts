import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveSnapshot } from '#contract/replies.ts';
import { openLog } from '#backend/log.ts';
import { createRedaction } from '#backend/redaction.ts';
import { ResultThread } from '#backend/results/resultThread.ts';
import { openStore, type Store } from '#backend/store/store.ts';
import { testOptions } from '#backend/testing/options.ts';
import { planFor } from '#backend/testing/plans.ts';
import { newRun } from '#backend/testing/runs.ts';
import { startTarget, type TestTarget } from '#backend/testing/target.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { syntheticGeneratorWindow } from '#backend/testing/windows.ts';
import { createSecrets } from '../secrets.ts';
import { RunService } from './runService.ts';
import { LoadLock } from '../loadLock.ts';

describe('runs with a store that fails or is shared', () => {
  let directory = '';
  let target: TestTarget;
  let results: ResultThread;
  beforeEach(async () => {
    directory = temporaryDirectory();
    mkdirSync(join(directory, 'logs'));
    target = await startTarget({ serviceMs: 5 });
  });
  afterEach(async () => {
    await target.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function serviceOn(store: Store): RunService {
    const redaction = createRedaction();
    const secrets = createSecrets({ environment: {}, onKnown: redaction.add });
    const { workerEntry, resultEntry, version } = testOptions(directory);
    const log = openLog(directory, redaction);
    results = new ResultThread({
      entry: resultEntry,
      dataDirectory: directory,
      version: '0.0.0-test',
      log,
      unstored: () => service.unstoredHead(),
    });
    const service = new RunService({
      store,
      results,
      log,
      redaction,
      secrets,
      workerEntry,
      version,
      selfTest: () => null,
      lock: new LoadLock(),
      isInvited: () => false,
      openHost: () => Promise.reject(new Error('there are no hosts')),
      enterHost: () => Promise.reject(new Error('there are no hosts')),
    });
    return service;
  }

  function watch(service: RunService, runId: string, onItem: (item: LiveSnapshot) => void = () => {}): Promise<LiveSnapshot[]> {
    const items: LiveSnapshot[] = [];
    return new Promise((resolve, reject) => {
      const onLive = (live: LiveSnapshot): void => {
        items.push(live);
        onItem(live);
      };
      service.streams['runs.watch'](
        { runId },
        { item: onLive, end: (problem) => (problem ? reject(new Error(problem.message)) : resolve(items)) },
      );
    });
  }

  /** Returns a store with room for only a few windows of the run below. */
  function nearlyFullStore(): Store {
    const maxBytes = 22 * 32_768;
    const { window, reading } = syntheticGeneratorWindow(0, { perSecond: 40_000 });
    const fillStore = (store: Store, windows: number): number => {
      const key = store.create(newRun('filler'));
      let second = 0;
      try {
        for (; second < windows; second++)
          store.append(key, { generator: 0, window: { ...window, second }, reading }, { requests: 1, completedPerSecond: 1, nowMs: 1 });
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: 'DISK_FULL' });
      }
      store.end(key, { state: 'finished', endedAt: new Date().toISOString(), because: null }, null);
      return second;
    };
    const scratch = temporaryDirectory();
    const twin = openStore(scratch, { maxBytes });
    const fitting = fillStore(twin, Number.POSITIVE_INFINITY);
    twin.close();
    rmSync(scratch, { recursive: true });
    const store = openStore(directory, { maxBytes });
    fillStore(store, fitting - 3);
    return store;
  }

  it('stop on a full disk, report that, and keep what was stored', async () => {
    const store = nearlyFullStore();
    const service = serviceOn(store);
    const steps = Array.from({ length: 50 }, (_, index) => ({ name: `step ${index}`, path: `/page/${index}` }));
    const plan = planFor(target.url, {
      journey: steps,
      load: { model: 'connections', stages: [{ connections: 10, requests: 1_000_000 }] },
    });
    const { runId } = await service.calls['runs.start']({ plan, agreed: [] });
    const items = await watch(service, runId);
    expect(items.at(-1)?.run).toMatchObject({
      state: 'failed',
      endedBecause: { code: 'failure', text: expect.stringContaining('No room left') },
    });
    const result = await results.read('runs.result', { runId });
    expect(result.run.state).toBe('failed');
    expect(result.windows.length).toBeGreaterThan(0);
    expect(result.balances).toBe(true);
    await service.close();
    await results.close();
    store.close();
  });

  it('can be watched from another process to their end, but not stopped from there', async () => {
    const owner = openStore(directory);
    const key = owner.create(newRun('other'));
    const appendSecond = (second: number): void =>
      owner.append(key, syntheticGeneratorWindow(second, { perSecond: 10 }), {
        requests: 10 * (second + 1),
        completedPerSecond: 10,
        nowMs: Date.now(),
      });
    appendSecond(0);
    appendSecond(1);
    const store = openStore(directory);
    const service = serviceOn(store);
    expect(() => service.calls['runs.stop']({ runId: 'other' })).toThrow(expect.objectContaining({ code: 'RUN_ELSEWHERE' }));
    let ended = false;
    const items = await watch(service, 'other', () => {
      if (ended) return;
      ended = true;
      appendSecond(2);
      owner.end(key, { state: 'finished', endedAt: new Date().toISOString(), because: null }, null);
    });
    expect(items.map(({ points }) => points.map(({ second }) => second))).toEqual([[0, 1], [2]]);
    expect(items.at(-1)).toMatchObject({ run: { state: 'finished' }, outcomes: { requests: { sent: 30, ok: 30 } } });
    await service.close();
    await results.close();
    store.close();
    owner.close();
  });

  it('include changed settings of machines that were not reverted', async () => {
    const store = openStore(directory);
    const change = {
      host: null,
      check: 'timeWaitReuse',
      setting: 'net.ipv4.tcp_tw_reuse',
      from: '0',
      to: '1',
      appliedAt: new Date().toISOString(),
    };
    const undone = store.addHostChange({ ...change, host: 'web1', setting: 'net.core.somaxconn' });
    store.revertHostChange(undone.id, new Date().toISOString());
    const kept = store.addHostChange(change);
    const service = serviceOn(store);
    const { runId } = await service.calls['runs.start']({ plan: planFor(target.url), agreed: [] });
    await watch(service, runId);
    const { events } = await results.read('runs.result', { runId });
    expect(events.filter(({ kind }) => kind === 'hostChanged')).toEqual([
      {
        second: 0,
        kind: 'hostChanged',
        text: 'Holdfast changed net.ipv4.tcp_tw_reuse on this computer from 0 to 1 before this run.',
        data: kept,
      },
    ]);
    await service.close();
    await results.close();
    store.close();
  });

  it('end when the service is closed, with a readable result', async () => {
    const store = openStore(directory);
    const service = serviceOn(store);
    const plan = planFor(target.url, { load: { model: 'connections', stages: [{ connections: 2, requests: 1_000_000 }] } });
    const { runId } = await service.calls['runs.start']({ plan, agreed: [] });
    await new Promise<void>((resolve) => {
      const leave = service.streams['runs.watch'](
        { runId },
        {
          item: ({ points }) => {
            if (points.length > 0) resolve();
          },
          end: () => resolve(),
        },
      );
      void leave;
    });
    await service.close();
    expect(store.find(runId)).toMatchObject({ state: 'stopped', ended_code: 'closed', ended_text: 'Holdfast was closed.' });
    expect((await results.read('runs.result', { runId })).balances).toBe(true);
    await results.close();
    store.close();
  });
});
