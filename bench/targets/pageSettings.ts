import { z } from 'zod';
import { parseDelay } from './delays.ts';

/** Settings of `pageServer.ts`. */
export const pageSettingsSchema = z.strictObject({
  /** Working time per request, in the format of `parseDelay`. */
  delay: z.string().refine((text) => parseDelay(text) !== null),
  /** Maximum number of parallel requests, while others wait; null means no limit. */
  workers: z.int().min(1).nullable().default(null),
  /** Maximum number of requests in the server; others are rejected with 503. null means no limit. */
  room: z.int().min(1).nullable().default(null),
  /** Approximate size of a page. */
  bytes: z.int().min(0).max(10_000_000).default(2_000),
  /** Number of pieces of a response. Above 1, the response is chunked without a length and contains a changing number. */
  pieces: z.int().min(1).max(100).default(1),
  /** Whether each response needs a query of a database. */
  queries: z.boolean().default(false),
  /** Whether the connection is closed after each response. */
  closes: z.boolean().default(false),
  tls: z.strictObject({ key: z.string(), certificate: z.string() }).nullable().default(null),
  seed: z.int().default(1),
});
export type PageSettings = z.input<typeof pageSettingsSchema>;
