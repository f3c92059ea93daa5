import { rmSync, statSync } from 'node:fs';
import { openStore } from '../store/store.ts';
import type { GeneratorWindow } from '../store/folding.ts';
import { newRun } from './runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { type SyntheticLoad, syntheticGeneratorWindow } from './windows.ts';

/**
 * Returns the size of the database in bytes after `count` windows, with an empty log. The windows repeat those in `distinct`; default: one
 * minute of one-second windows of the load.
 */
export function storeSizeAfter(count: number, load: SyntheticLoad, distinct: readonly GeneratorWindow[] = makeMinute(load, count)): number {
  const directory = temporaryDirectory();
  const store = openStore(directory);
  try {
    const key = store.create(newRun('size'));
    for (let second = 0; second < count; second++) {
      const like = distinct[second % distinct.length];
      if (!like) break;
      const generatorWindow = { generator: 0, window: { ...like.window, second }, reading: { ...like.reading, second } };
      store.append(key, generatorWindow, { requests: second * load.perSecond, completedPerSecond: load.perSecond, nowMs: second });
    }
    store.close();
    return statSync(store.path).size;
  } finally {
    store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function makeMinute(load: SyntheticLoad, count: number): GeneratorWindow[] {
  return Array.from({ length: Math.min(count, 60) }, (_, second) => syntheticGeneratorWindow(second, load));
}

/** Program: `node src/backend/testing/measureStoreSize.ts HOURS REQUESTS_PER_SECOND` prints the size after a whole run. */
if (import.meta.main) {
  const [hours = '24', perSecond = '1000'] = process.argv.slice(2);
  const started = performance.now();
  const bytes = storeSizeAfter(Number(hours) * 3_600, { perSecond: Number(perSecond) });
  const took = ((performance.now() - started) / 1_000).toFixed(0);
  process.stdout.write(`${hours} h at ${perSecond}/s: ${(bytes / 1e6).toFixed(1)} MB (computed in ${took} s)\n`);
}
