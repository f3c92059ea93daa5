import { z } from 'zod';
import type { Load, Stage } from '#core/plan/schema/load.ts';
import { LEVEL_UNITS, levelOf, requestsOf, secondsOf, uncountedSecondsOf } from './stages.ts';

/** Size of the counted load, which distinguishes runs with the same name. */
export const loadSizeSchema = z.strictObject({
  unit: z.enum(LEVEL_UNITS),
  highest: z.number(),
  /** Counted duration; null if requests end it. */
  seconds: z.number().nullable(),
  /** Number of requests that end it; null if time does. */
  requests: z.number().nullable(),
});
export type LoadSize = z.infer<typeof loadSizeSchema>;

/** Returns the size of the counted stages, or of all stages if none is counted. */
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

/** Returns null if one value is unknown. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}
