import { z } from 'zod';
import { MAX_STAGE_SECONDS } from '#core/plan/schema/load.ts';

const level = z.number().positive().max(1_000_000);
const seconds = z.number().min(1).max(3_600);

/** How a breaking point is looked for. A level is a rate, a number of users or of connections, whatever the load of the plan is made of. */
export const breakingPointSettingsSchema = z.strictObject({
  /** The first level; left out, a quarter of the highest of the plan. */
  from: level.optional(),
  /** No level beyond this one: when it is borne, nothing more is to be known. */
  to: level.optional(),
  /** By how much the level grows until one is not borne. */
  growth: z.number().min(1.1).max(10).default(2),
  /** The search ends when the lowest level that was not borne is within this share of the highest that was. */
  precision: z.number().min(0.01).max(0.5).default(0.05),
  /** How often each level is run. What most of its runs say is what it is. */
  repeats: z.int().min(1).max(9).default(1),
  maxLevels: z.int().min(2).max(40).default(12),
  /** Counted time of a level. It is longer where answers take long or requests are rare. */
  secondsEach: seconds.default(10),
  /** At the same level before that, not counted: a queue shows itself only when there has been time for one. */
  warmUpSeconds: z.number().min(0).max(600).default(2),
  coolDownSeconds: z.number().min(0).max(3_600).default(2),
  /** How long connections to the target may take to become as few as before the search. */
  baselineSeconds: z.number().min(0).max(3_600).default(60),
  /** In all, pauses included. No level is begun that would go beyond. */
  maxSeconds: z.number().positive().max(MAX_STAGE_SECONDS).optional(),
  maxRequests: z.int().min(1).max(1_000_000_000).optional(),
  /** Whether it is looked how soon the server is itself again. Only of loads at a rate: users who wait for answers leave nothing behind. */
  recovery: z.boolean().default(true),
  /** How long it gets half more than it bears. */
  overloadSeconds: seconds.default(10),
});
export type BreakingPointSettings = z.output<typeof breakingPointSettingsSchema>;
