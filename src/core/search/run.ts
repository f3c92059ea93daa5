import { z } from 'zod';
import { levelReadingSchema, probeReadingSchema, recoveryReadingSchema } from './breakingPoint/reading.ts';
import { idleReadingSchema, usersReadingSchema } from './characterize/reading.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Purposes of a run. `probe`: a single user shows whether the server has recovered. */
const SEARCH_PURPOSES = ['probe', 'level', 'recovery', 'users', 'idle'] as const;

/** States of a run. Only `value` is a complete measurement; the result of an `unread` run could not be read. */
const SEARCH_RUN_STATES = ['running', 'value', 'aborted', 'unread', 'notRun'] as const;

/**
 * Phases of a `running` run. `before`: commands reset the server. `reset`: a person resets the server and says so. `visits`: watched pages
 * are visited before the load starts.
 */
const SEARCH_PHASES = ['before', 'reset', 'ready', 'visits', 'load', 'rest'] as const;

const readingSchema = z.discriminatedUnion('kind', [
  probeReadingSchema,
  levelReadingSchema,
  recoveryReadingSchema,
  usersReadingSchema,
  idleReadingSchema,
]);
export type SearchReading = z.infer<typeof readingSchema>;

/** A run of a search, or an observed idle connection, with its result. */
export const searchRunSchema = z.strictObject({
  /** Position in order of time, from 0. */
  position: z.int(),
  purpose: z.enum(SEARCH_PURPOSES),
  name: z.string(),
  /** Load in the unit of the search; null if there is no load. */
  level: z.number().nullable(),
  repeat: z.int(),
  state: z.enum(SEARCH_RUN_STATES),
  phase: z.enum(SEARCH_PHASES).nullable(),
  /** Reason why the run is not a complete measurement; null if it is one, or while it continues. */
  reason: z.string().nullable(),
  /** Id of the run; null for an idle connection, which has no load. */
  runId: z.string().nullable(),
  reading: readingSchema.nullable(),
  /** Duration of the run in seconds, including the pause after it. */
  spentSeconds: z.number(),
  requests: z.int(),
});
export type SearchRun = z.infer<typeof searchRunSchema>;

/** Next step of a search: a run with its plan, an idle connection to observe, or the end (with a reason if early). */
export type SearchStep =
  | ({ readonly kind: 'run'; readonly plan: Plan } & Pick<SearchRun, 'purpose' | 'name' | 'level' | 'repeat'>)
  | { readonly kind: 'idle'; readonly purpose: 'idle'; readonly name: string; readonly seconds: number }
  | { readonly kind: 'end'; readonly because: string | null };

/** Reason why a search ends early. */
export const TIME_USED_UP_MESSAGE = 'The maximum duration was reached.';
