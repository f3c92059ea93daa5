import { judgedStages } from '#core/plan/names.ts';
import type { RunResult } from './schema.ts';
import type { StageTime } from './stageTimes.ts';

/** When the stages that figures are of were loaded, in seconds of the run; those that were never reached are left out. */
export function loadedTimes({ plan, stages }: Pick<RunResult, 'plan' | 'stages'>): StageTime[] {
  return judgedStages(plan).flatMap((index) => {
    const { startedAtSecond, endedAtSecond } = stages[index] ?? { startedAtSecond: null, endedAtSecond: null };
    return startedAtSecond === null || endedAtSecond === null ? [] : [{ from: startedAtSecond, to: endedAtSecond }];
  });
}
