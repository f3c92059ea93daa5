import { labEntry } from '#tools/testing/threads.ts';
import type { Surroundings } from '../lab.ts';
import { cacheDirectoryFor } from '../cacheDirectory.ts';

/** Returns the environment of practice servers in a test: the sources of the checkout and the package cache of this machine. */
export function testSurroundings(changes: Partial<Surroundings> = {}): Surroundings {
  return {
    entry: labEntry,
    cacheDirectory: cacheDirectoryFor(process.env),
    environment: process.env,
    onProgress: () => {},
    ...changes,
  };
}
