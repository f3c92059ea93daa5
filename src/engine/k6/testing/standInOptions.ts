import { z } from 'zod';

/** Options of the stand-in. Every tenth journey gets status 503. */
export const standInSchema = z.strictObject({
  version: z.string().default('1.8.1'),
  journeys: z.int().default(20),
  perSecond: z.number().default(20),
  responseMs: z.number().default(5),
  /** Fails as k6 does when the script throws. */
  fails: z.boolean().default(false),
  /** Ignores SIGINT, so that it must be killed. */
  ignoresInterrupt: z.boolean().default(false),
});
export type StandInOptions = z.input<typeof standInSchema>;
