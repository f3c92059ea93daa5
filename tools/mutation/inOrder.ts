import { dirname } from 'node:path';
import type { CountedTest } from './messages.ts';

/** Tests of one file, in the order in which they are run. */
export interface Group {
  readonly file: number;
  readonly tests: readonly CountedTest[];
}

/** A test that takes longer is run when all others have noticed nothing. */
const SLOW_MS = 100;

/**
 * Tests in the order in which they probably notice a change in this file: the nearest first, as they state what the file does, and of each file of
 * tests the quickest first. A file of tests takes most of its time to load, so its tests stay together.
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

/** How many folders lie between a file and a file of tests; less than none to its own. */
function distanceOf(place: string, test: string): number {
  if (test === place.replace(/\.ts$/, '.test.ts')) return -1;
  const [one, other] = [dirname(place).split('/'), dirname(test).split('/')];
  const apart = one.findIndex((folder, index) => folder !== other[index]);
  const shared = apart === -1 ? one.length : apart;
  return one.length + other.length - 2 * shared;
}
