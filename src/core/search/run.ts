import { z } from 'zod';
import { levelReadingSchema, probeReadingSchema, recoveryReadingSchema } from './breakingPoint/reading.ts';
import { idleReadingSchema, usersReadingSchema } from './characterize/reading.ts';

/** `probe`: one visitor alone, to see whether the server is itself. */
export const SEARCH_PURPOSES = ['probe', 'level', 'recovery', 'users', 'idle'] as const;

/** What became of a run. Only `value` is a whole measurement; of `unread` there is a run, and its result could not be read. */
export const SEARCH_RUN_STATES = ['running', 'value', 'aborted', 'unread', 'notRun'] as const;

/** What a run is at while it is `running`. `visits`: its load starts once the watched pages were seen without it. */
export const SEARCH_PHASES = ['ready', 'visits', 'load', 'rest'] as const;

const readingSchema = z.discriminatedUnion('kind', [
  probeReadingSchema,
  levelReadingSchema,
  recoveryReadingSchema,
  usersReadingSchema,
  idleReadingSchema,
]);
export type SearchReading = z.infer<typeof readingSchema>;

/** One run of a search, or a connection that was looked at, with what it has shown. */
export const searchRunSchema = z.strictObject({
  /** Place in the order in which they were made, from 0. */
  position: z.int(),
  purpose: z.enum(SEARCH_PURPOSES),
  name: z.string(),
  /** Of the load, in the unit of the search; null where there is none. */
  level: z.number().nullable(),
  repeat: z.int(),
  state: z.enum(SEARCH_RUN_STATES),
  phase: z.enum(SEARCH_PHASES).nullable(),
  /** Why it is no whole measurement; null where it is, or is going. */
  reason: z.string().nullable(),
  /** null where no load was put on. */
  runId: z.string().nullable(),
  reading: readingSchema.nullable(),
  /** With the pause after it. */
  spentSeconds: z.number(),
  requests: z.int(),
});
export type SearchRun = z.infer<typeof searchRunSchema>;
