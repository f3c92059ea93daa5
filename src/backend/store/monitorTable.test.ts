import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rmSync } from 'node:fs';
import type { MonitorInfo, MonitorPoint } from '#core/machines/monitors/result.ts';
import { newRun } from '../testing/runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { openStore, type Store } from './store.ts';

const INFO: MonitorInfo = {
  number: 0,
  name: 'web1',
  kind: 'machine',
  role: 'target',
  host: 'web1',
  quantities: [
    { id: 'net.in', words: 'in', unit: 'bytesPerSecond', chart: 'Network' },
    { id: 'timeWait.all', words: 'all', unit: 'count', chart: 'TIME_WAIT', fold: 'highest' },
  ],
  limits: [],
  state: 'watching',
  problem: null,
  errorMs: 1.5,
};

describe('the monitor table', () => {
  let directory: string;
  let store: Store;
  let run: number;
  beforeEach(() => {
    directory = temporaryDirectory();
    store = openStore(directory);
    run = store.create(newRun('one'));
    store.saveMonitor(run, INFO);
  });
  afterEach(() => {
    store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const point = (second: number): MonitorPoint => ({ second, width: 1, values: { 'net.in:eth0': 100, 'timeWait.all': second } });
  /** Appends seconds in groups, as a run does. */
  const appendUntil = (seconds: number): void => {
    for (let second = 0; second < seconds; second += 600)
      store.appendMonitor(
        run,
        INFO,
        Array.from({ length: 600 }, (_, index) => point(second + index)),
      );
  };

  it('returns unchanged points, either all or those from a given second on', () => {
    store.appendMonitor(run, INFO, [point(0), { second: 1, width: 1, values: {} }]);
    store.appendMonitor(run, INFO, [point(2)]);
    expect(store.monitors(run)).toEqual([
      { ...INFO, second: [0, 1, 2], width: [1, 1, 1], values: { 'net.in:eth0': [100, null, 100], 'timeWait.all': [0, null, 2] } },
    ]);
    expect(store.monitorPoints(run, 0, 1.5)).toEqual([{ second: 1, width: 1, values: {} }, point(2)]);
  });

  it('stores how a monitor ended', () => {
    store.saveMonitor(run, { ...INFO, state: 'lost', problem: 'The connection to web1 was lost.' });
    expect(store.monitorInfos(run)).toMatchObject([{ state: 'lost', problem: 'The connection to web1 was lost.' }]);
  });

  it('folds old points in order and without gaps, and keeps means and peaks', () => {
    const hours = 8;
    appendUntil(hours * 3_600);
    const points = store.monitorPoints(run, 0);
    // The newest hour has steps of 1 s, the six hours before that have steps of 10 s, and the rest has steps of 60 s. A row that is not
    // full may add some points.
    expect(points.length).toBeLessThan(3_600 + 1_200 + 6 * 360 + 3 * 60);
    let second = 0;
    for (const { second: start, width, values } of points) {
      expect(start).toBe(second);
      second = start + width;
      expect(values).toEqual({ 'net.in:eth0': 100, 'timeWait.all': second - 1 });
    }
    expect(second).toBe(hours * 3_600);
    expect(new Set(points.map(({ width }) => width))).toEqual(new Set([60, 10, 1]));
  });
});
