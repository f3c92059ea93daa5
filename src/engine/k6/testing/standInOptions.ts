import { z } from 'zod';

/** Options of the stand-in. Every tenth journey gets status 503. */
export const standInSchema = z.strictObject({
  version: z.string().default('1.8.1'),
  journeys: z.int().default(20),
  perSecond: z.number().default(20),
  responseMs: z.number().default(5),
  /** Whether it fails as k6 does if the script throws an error. */
  fails: z.boolean().default(false),
  /** Whether it ignores SIGINT, so that it must be killed. */
  ignoresInterrupt: z.boolean().default(false),
});
export type StandInOptions = z.input<typeof standInSchema>;
