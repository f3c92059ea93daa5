import { z } from 'zod';
import type { RunEvent } from './schema.ts';

/** Kind of the event by which a run tells what its target counted. */
export const STORED_EVENT = 'stored';

/** A count of the target before the load, and as it was read last after it; null where it could not be read any more. */
export const storedReadingSchema = z.strictObject({
  name: z.string(),
  step: z.string(),
  before: z.number(),
  after: z.number().nullable(),
  /** false: it had not stood still for long enough when it was read last, so more may have come. */
  stands: z.boolean().default(true),
});
export type StoredReading = z.output<typeof storedReadingSchema>;

/** All counts that events tell of; those of another form are left out. */
export function storedReadings(events: readonly RunEvent[]): StoredReading[] {
  return events.flatMap(({ kind, data }) => (kind === STORED_EVENT ? (storedReadingSchema.safeParse(data).data ?? []) : []));
}
