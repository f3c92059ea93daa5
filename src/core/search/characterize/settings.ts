import { z } from 'zod';
import { MAX_STAGE_SECONDS, MAX_USERS } from '#core/plan/schema/load.ts';

/** How an unknown server is looked at. */
export const characterizeSettingsSchema = z.strictObject({
  /** It is asked by 1, 2, 4 … users at a time, up to so many. A server that does more at once than that is called asynchronous. */
  maxUsers: z.int().min(8).max(MAX_USERS).default(128),
  /** Counted time of each of these at least; it is longer where answers take long. */
  secondsEach: z.number().min(1).max(600).default(3),
  /** For how long a connection is left alone at the end, to see after how long the server closes it. */
  idleSeconds: z.number().min(0).max(600).default(10),
  coolDownSeconds: z.number().min(0).max(600).default(1),
  baselineSeconds: z.number().min(0).max(600).default(20),
  /** In all, pauses included. Nothing is begun that would go beyond. */
  maxSeconds: z.number().positive().max(MAX_STAGE_SECONDS).default(600),
});
export type CharacterizeSettings = z.output<typeof characterizeSettingsSchema>;
