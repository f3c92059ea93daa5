import { expect, it, vi } from 'vitest';
import { markStorable } from '#core/plan/hideSecrets.ts';
import { generatorWith } from '#core/judgement/verdict/testing/judged.ts';
import { openStore, type Store } from '../store/store.ts';
import { planFor } from '../testing/plans.ts';
import { newRun } from '../testing/runs.ts';
import { syntheticReading, syntheticWindow } from '../testing/windows.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { createResultReaders } from './resultReaders.ts';
import { readResult, storeResult, tallyFor, type TalliedWindows } from './resultOf.ts';

const HOSTS = [0, 1, 2];

interface ActiveRun {
  readonly store: Store;
  readonly tallied: TalliedWindows;
  /** Stores windows of these hosts for the seconds from `from` to before `before`. */
  addSeconds(from: number, before: number, hosts?: readonly number[]): void;
  /** Ends the run and computes its result from the windows that were read. Returns the second from which windows were read for that. */
  end(): number | undefined;
}

/** Calls `work` with an active run of three hosts, each with a different load every second. */
function withActiveRun(work: (run: ActiveRun) => void): void {
  const store = openStore(temporaryDirectory());
  try {
    const plan = planFor('http://127.0.0.1:1/', { journey: [{ name: 'one' }, { name: 'other' }] });
    const key = store.create(newRun('going', { plan: markStorable(plan) }));
    for (const host of HOSTS) {
      const {
        figures: _figures,
        overloadedSeconds: _overloadedBy,
        readings: _readings,
        ...facts
      } = generatorWith({ name: `host ${host}` });
      store.setGenerator(key, host, facts);
    }
    work({
      store,
      tallied: tallyFor(store, { key }),
      addSeconds(from, before, hosts = HOSTS) {
        for (let second = from; second < before; second += 1)
          for (const generator of hosts) {
            const window = { ...syntheticWindow(second, { perSecond: 20, steps: 2, seed: generator }), inFlight: second + generator };
            store.append(key, { generator, window, reading: syntheticReading(second) }, { requests: 1, completedPerSecond: 1, nowMs: 1 });
          }
      },
      end() {
        store.end(key, { state: 'stopped', endedAt: '2026-01-01T12:00:00.000Z', because: null }, null);
        const anew = readResult(store, store.find('going'));
        const reads = vi.spyOn(store, 'windows');
        const newResult = storeResult(store, store.find('going'), this.tallied);
        expect(newResult).toEqual(anew);
        expect(newResult.generators.map(({ figures }) => figures?.points.length)).toEqual(HOSTS.map(() => expect.any(Number)));
        return reads.mock.calls.at(-1)?.[1].from;
      },
    });
  } finally {
    store.close();
  }
}

const NO_LOWER_BOUND = -Number.MAX_VALUE;

it('tallied windows give the same result as reading all windows at once, and only the rest is read at the end', () => {
  withActiveRun((run) => {
    run.addSeconds(0, 40);
    run.tallied.readUntil(0);
    run.tallied.readUntil(7);
    run.tallied.readUntil(39);
    // The second host is lost, and its outstanding requests remain outstanding.
    run.addSeconds(40, 50, [0, 2]);
    run.tallied.readUntil(45);
    expect(run.end()).toBe(45);
  });
});

it('tallied windows are all read again after a late window', () => {
  withActiveRun((run) => {
    run.addSeconds(0, 20);
    run.addSeconds(20, 22, [0, 1]);
    run.addSeconds(22, 30);
    run.tallied.readUntil(25);
    run.addSeconds(21, 22, [2]);
    expect(run.end()).toBe(NO_LOWER_BOUND);
  });
});

it('tallied windows are all read again after windows were merged', () => {
  withActiveRun((run) => {
    run.addSeconds(0, 20);
    run.tallied.readUntil(15);
    expect(run.tallied.isCurrent).toBe(true);
    run.addSeconds(3_609, 3_612, [0]);
    expect(run.end()).toBe(NO_LOWER_BOUND);
  });
});

it('tallied windows continue only in the thread where reading stopped', () => {
  withActiveRun(({ store, addSeconds: go }) => {
    go(0, 60);
    const readers = createResultReaders(store, { version: '0.0.0-test', unstored: () => null, log: { failure: () => {} } });
    const reads = vi.spyOn(store, 'windows');
    const readOn = (from: number, before: number): void => void readers['own.readOn']({ runId: 'going', from, before });
    const readFrom = (): (number | undefined)[] => reads.mock.calls.splice(0).map(([, { from }]) => from);
    // The windows that an ended thread has read are lost.
    readOn(10, 20);
    expect(readFrom()).toEqual([]);
    readOn(0, 10);
    readOn(10, 20);
    expect(readFrom()).toEqual([NO_LOWER_BOUND, 10]);
    reads.mockImplementationOnce(() => {
      throw new Error('The disk does not respond.');
    });
    expect(() => readOn(20, 30)).toThrow('The disk does not respond.');
    readOn(30, 40);
    readers['own.storeResult']({ runId: 'going' });
    expect(readFrom()).toEqual([20, NO_LOWER_BOUND]);
  });
});
