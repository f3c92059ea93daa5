import { z } from 'zod';
import type { GeneratorReading, RunResult } from './schema.ts';

/** What the plan watches, as it was read at a second, by name. */
export const watchedReadingSchema = z.strictObject({ second: z.number(), values: z.record(z.string(), z.number()) });
export type WatchedReading = z.infer<typeof watchedReadingSchema>;

/** Those of the readings that hold something which the plan watches. */
export function watchedIn(readings: readonly (GeneratorReading | null)[]): WatchedReading[] {
  return readings.flatMap((reading) =>
    reading !== null && Object.keys(reading.watched).length > 0 ? [{ second: reading.second, values: reading.watched }] : [],
  );
}

/** The same of a run: as the machine read it that saw most of it. */
export function mostWatched(generators: RunResult['generators']): WatchedReading[] {
  const all = generators.map(({ readings }) => watchedIn(readings));
  return all.sort((one, other) => other.length - one.length)[0] ?? [];
}
