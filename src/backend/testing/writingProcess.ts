import { openStore } from '../store/store.ts';
import { newRun } from './runs.ts';
import { syntheticGeneratorWindow } from './windows.ts';

/**
 * A process that writes a run like a backend, but faster: a window every few milliseconds. Arguments: data directory, run id, number of
 * windows. Prints `started`, the second of each stored window, and `ended`.
 */
const WINDOW_EVERY_MS = 5;
const [directory = '', id = '', count = '0'] = process.argv.slice(2);

const store = openStore(directory);
const key = store.create(newRun(id));
process.stdout.write('started\n');
for (let second = 0; second < Number(count); second++) {
  const requests = 50 * (second + 1);
  store.append(key, syntheticGeneratorWindow(second, { perSecond: 50 }), { requests, completedPerSecond: 50, nowMs: Date.now() });
  process.stdout.write(`${second}\n`);
  await new Promise((resolve) => setTimeout(resolve, WINDOW_EVERY_MS));
}
store.end(key, { state: 'finished', endedAt: new Date().toISOString(), because: null }, null);
store.close();
process.stdout.write('ended\n');
