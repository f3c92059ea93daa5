import { z } from 'zod';
import { valueNameSchema } from './journey.ts';
import { MAX_STAGE_SECONDS } from './load.ts';

const MAX_BELLS = 20;

/** What a user who reaches the gate after the bell does: continue at once, or end the journey. */
export const LATE_USERS = ['continue', 'leave'] as const;

const bellSchema = z.strictObject({
  /** Seconds from the start of the load to the bell. */
  atSeconds: z.number().positive().max(MAX_STAGE_SECONDS),
  late: z.enum(LATE_USERS).default('continue'),
  /**
   * Maximum share of the expected users who may be lost, late or absent. Default: 1 %, and nobody if there are fewer than 100. If it is 1,
   * the bell is not judged.
   */
  maxLostShare: z.number().min(0).max(1).optional(),
});

/** Planned instants at which all waiting users continue, by name; see `gate` of a step. */
export const bellsSchema = z
  .record(valueNameSchema, bellSchema)
  .refine((bells) => Object.keys(bells).length <= MAX_BELLS, `A plan has at most ${MAX_BELLS} bells.`);
