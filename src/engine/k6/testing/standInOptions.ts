import { z } from 'zod';

/** What the stand-in is to do. Every tenth journey is answered with status 503. */
export const standInSchema = z.strictObject({
  version: z.string().default('1.8.1'),
  journeys: z.int().default(20),
  perSecond: z.number().default(20),
  answerMs: z.number().default(5),
  /** As a script that throws makes k6 end. */
  fails: z.boolean().default(false),
  /** It has to be killed. */
  ignoresInterrupt: z.boolean().default(false),
});
export type StandInOptions = z.input<typeof standInSchema>;
