import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore, type Store } from '#backend/store/store.ts';
import { newRun } from '#backend/testing/runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { syntheticGeneratorWindow } from '#backend/testing/windows.ts';
import { createDistributions } from './baselineReaders.ts';

const ended = { state: 'finished', endedAt: new Date(9_000).toISOString(), because: null } as const;
const progress = { requests: 1, completedPerSecond: 1, nowMs: 1 };
let directory: string;
let store: Store;
let key: number;
const failures: string[] = [];
const log = { file: '', info() {}, warn() {}, failure: (text: string) => void failures.push(text) };

beforeEach(() => {
  directory = temporaryDirectory();
  store = openStore(directory);
  key = store.create(newRun('a'));
  for (let second = 0; second < 6; second += 1) store.append(key, syntheticGeneratorWindow(second, { perSecond: 50 }), progress);
  failures.length = 0;
});
afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true, force: true });
});

it('the distribution of an ended run is read once, and that of an active run each time', async () => {
  const distributions = createDistributions(store, log);
  const going = await distributions.of('a');
  expect(going.lines.length).toBeGreaterThan(0);
  expect(store.distribution(key)).toBeNull();
  store.append(key, syntheticGeneratorWindow(6, { perSecond: 50 }), progress);
  store.end(key, ended, null);
  const whole = await distributions.of('a');
  expect(whole).not.toEqual(going);
  expect(store.distribution(key)).toEqual(whole);
  store.saveDistribution(key, going);
  expect(await distributions.of('a'), 'the stored one').toEqual(going);
});

it('the distribution for a report is read only if the run is short or its distribution was read before', async () => {
  expect(await createDistributions(store, log, 6).ofReport('a')).not.toBe('tooLong');
  const distributions = createDistributions(store, log, 5);
  store.end(key, ended, null);
  expect(await distributions.ofReport('a')).toBe('tooLong');
  await distributions.prepare('a');
  expect(await distributions.ofReport('a')).toEqual(store.distribution(key));
});

it('distributions of short runs are not prepared, and errors are logged', async () => {
  store.end(key, ended, null);
  await createDistributions(store, log).prepare('a');
  expect(store.distribution(key)).toBeNull();
  await createDistributions(store, log, 5).prepare('nobody');
  expect(failures).toHaveLength(1);
});

it('the distribution is read once for simultaneous requests, including a report', async () => {
  store.end(key, ended, null);
  const distributions = createDistributions(store, log, 5);
  const prepared = distributions.prepare('a');
  const [page, report] = [distributions.of('a'), distributions.ofReport('a')];
  expect(await page).toBe(await report);
  await prepared;
  expect(store.distribution(key)).not.toBeNull();
});
