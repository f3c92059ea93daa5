import { rmSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decodeWindow, encodeWindow } from '#core/measurement/windowCodec.ts';
import { planWith } from '#core/testing/plans.ts';
import { Aggregator } from '#engine/aggregator.ts';
import { LiveView } from '../services/runs/liveView.ts';
import { openStore } from '../store/store.ts';
import { newRun } from './runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { syntheticReading, syntheticWindow } from './windows.ts';

export interface MemoryReading {
  readonly windows: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
}

/**
 * Measures the memory of this process after each of these numbers of windows, which are in ascending order. As in a run, windows pass
 * through the aggregator into the live view and the store.
 */
export function measureMemoryAfter(counts: readonly number[], perSecond: number): MemoryReading[] {
  const directory = temporaryDirectory();
  const store = openStore(directory);
  const readings: MemoryReading[] = [];
  try {
    const key = store.create(newRun('memory'));
    const view = new LiveView(planWith());
    const aggregator = new Aggregator(1, (window) => {
      const generatorWindow = { generator: 0, window, reading: syntheticReading(window.second) };
      view.add(window, generatorWindow.reading);
      store.append(key, generatorWindow, { requests: perSecond, completedPerSecond: perSecond, nowMs: window.second });
    });
    const health = { threadCpu: 0.1, threadWait: 0, eventLoopDelayMs: 0, garbageCollectionMs: 0, stoodStillMs: 0 };
    for (let second = 0; second < Math.max(...counts); second += 1) {
      aggregator.add(0, decodeWindow(encodeWindow(syntheticWindow(second, { perSecond }))), health);
      if (counts.includes(second + 1)) readings.push(readingAfter(second + 1));
    }
  } finally {
    store.close();
    rmSync(directory, { recursive: true, force: true });
  }
  return readings;
}

function readingAfter(windows: number): MemoryReading {
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  return { windows, heapBytes: heapUsed, residentBytes: rss };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('This Node does not let its garbage be collected.');
  collect();
}

/** Program: `node src/backend/testing/measureMemory.ts REQUESTS_PER_SECOND` prints the memory after 60 and after 3,600 windows. */
if (import.meta.main) {
  const [perSecond = '1000'] = process.argv.slice(2);
  for (const { windows, heapBytes, residentBytes } of measureMemoryAfter([60, 3_600], Number(perSecond)))
    process.stdout.write(`${windows} windows: heap ${(heapBytes / 1e6).toFixed(1)} MB, resident ${(residentBytes / 1e6).toFixed(1)} MB\n`);
}
