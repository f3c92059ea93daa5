import { getOwn } from '#core/base/ownMembers.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Reading } from '#core/statistics/trend.ts';

/** What was read of a number that the plan watches: on the machine that saw most of it. */
export function watchedReadings(generators: RunResult['generators'], name: string): Reading[] {
  const all = generators.map(({ readings }) =>
    readings.flatMap(({ second, watched }) => {
      const value = getOwn(watched, name);
      return value === undefined ? [] : [{ second, value }];
    }),
  );
  return all.sort((one, other) => other.length - one.length)[0] ?? [];
}
