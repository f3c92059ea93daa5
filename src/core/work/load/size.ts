import { z } from 'zod';
import type { Load, Stage } from '#core/plan/schema/load.ts';
import { LEVEL_UNITS, levelOf, requestsOf, secondsOf, uncountedSecondsOf } from './stages.ts';

/** How much load there is where it counts, in short: what tells runs of one name apart. */
export const loadSizeSchema = z.strictObject({
  unit: z.enum(LEVEL_UNITS),
  highest: z.number(),
  /** How long it is counted; null where a number of requests ends it. */
  seconds: z.number().nullable(),
  /** How many requests end it; null where time does. */
  requests: z.number().nullable(),
});
export type LoadSize = z.infer<typeof loadSizeSchema>;

/** The size of a load: of its counted stages, or of all where none is counted. */
export function sizeOf({ stages }: Load): LoadSize {
  const all: readonly Stage[] = stages;
  const counted = all.filter((stage) => stage.counted);
  const judged = counted.length > 0 ? counted : all;
  const levels = judged.map(levelOf);
  return {
    unit: levels[0]?.unit ?? 'connections',
    highest: Math.max(0, ...levels.map(({ highest }) => highest)),
    seconds: sumOf(judged.map((stage) => countedSecondsOf(stage))),
    requests: sumOf(judged.map(requestsOf)),
  };
}

function countedSecondsOf(stage: Stage): number | null {
  const seconds = secondsOf(stage);
  return seconds === null ? null : seconds - uncountedSecondsOf(stage);
}

/** null where one of them is unknown. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}
