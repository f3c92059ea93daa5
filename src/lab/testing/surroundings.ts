import { labEntry } from '#tools/testing/threads.ts';
import type { Surroundings } from '../lab.ts';
import { cacheDirectoryFor } from '../cacheDirectory.ts';

/** Returns the surroundings of practice servers in a test: the sources of the checkout and this machine's package cache. */
export function testSurroundings(changes: Partial<Surroundings> = {}): Surroundings {
  return { entry: labEntry, cacheDirectory: cacheDirectoryFor(process.env), environment: process.env, onProgress: () => {}, ...changes };
}
