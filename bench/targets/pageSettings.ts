import { z } from 'zod';
import { parseDelay } from './delays.ts';

/** Settings of `pageServer.ts`. */
export const pageSettingsSchema = z.strictObject({
  /** Working time per request, in the format of `parseDelay`. */
  delay: z.string().refine((text) => parseDelay(text) !== null),
  /** Maximum number of parallel requests, others wait; null: unlimited. */
  workers: z.int().min(1).nullable().default(null),
  /** Requests above this number are rejected with 503; null: none. */
  room: z.int().min(1).nullable().default(null),
  /** Approximate size of a page. */
  bytes: z.int().min(0).max(10_000_000).default(2_000),
  /** Above 1: chunked without a length, in this many pieces, with a changing number. */
  pieces: z.int().min(1).max(100).default(1),
  /** Queries a database before each response. */
  queries: z.boolean().default(false),
  /** Closes the connection after each response. */
  closes: z.boolean().default(false),
  tls: z.strictObject({ key: z.string(), certificate: z.string() }).nullable().default(null),
  seed: z.int().default(1),
});
export type PageSettings = z.input<typeof pageSettingsSchema>;
