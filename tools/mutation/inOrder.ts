import { dirname } from 'node:path';
import type { CountedTest } from './messages.ts';

/** Tests of one file in the order of execution. */
export interface Group {
  readonly file: number;
  readonly tests: readonly CountedTest[];
}

/** Slower tests run only after all others have passed. */
const SLOW_MS = 100;

/**
 * Orders tests by their probability of detecting a change in this file: nearest test files first, and their fastest tests first. Loading a
 * test file takes most of its time, so its tests stay together.
 */
export function inOrder(place: string, tests: readonly CountedTest[], files: readonly string[]): Group[] {
  const distances = files.map((file) => distanceOf(place, file));
  const isSlow = ({ ms }: CountedTest): boolean => ms > SLOW_MS;
  const sorted = tests.toSorted(
    (one, other) =>
      Number(isSlow(one)) - Number(isSlow(other)) ||
      (distances[one.file] ?? 0) - (distances[other.file] ?? 0) ||
      one.file - other.file ||
      one.ms - other.ms,
  );
  return [...Map.groupBy(sorted, (test) => `${isSlow(test)} ${test.file}`).values()].flatMap((group) =>
    group[0] === undefined ? [] : [{ file: group[0].file, tests: group }],
  );
}

/** Returns the number of folders between a file and a test file; less than 0 for its own test file. */
function distanceOf(place: string, test: string): number {
  if (test === place.replace(/\.ts$/, '.test.ts')) return -1;
  const [one, other] = [dirname(place).split('/'), dirname(test).split('/')];
  const apart = one.findIndex((folder, index) => folder !== other[index]);
  const shared = apart === -1 ? one.length : apart;
  return one.length + other.length - 2 * shared;
}
