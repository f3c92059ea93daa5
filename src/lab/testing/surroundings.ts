import { labEntry } from '#tools/testing/threads.ts';
import type { Surroundings } from '../lab.ts';
import { cacheDirectoryFor } from '../cacheDirectory.ts';

/** Where the practice servers of a test run: the checkout, with this machine's cache of packages. */
export function testSurroundings(changes: Partial<Surroundings> = {}): Surroundings {
  return {
    entry: labEntry,
    cacheDirectory: cacheDirectoryFor(process.env),
    environment: process.env,
    onProgress: () => {},
    ...changes,
  };
}
