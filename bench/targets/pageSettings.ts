import { z } from 'zod';
import { parseDelay } from './delays.ts';

/** Settings of `pageServer.ts`. */
export const pageSettingsSchema = z.strictObject({
  /** Working time per request, in the format that `parseDelay` accepts. */
  delay: z.string().refine((text) => parseDelay(text) !== null),
  /** Maximum number of requests processed in parallel, or null for no limit. Further requests wait. */
  workers: z.int().min(1).nullable().default(null),
  /** Maximum number of requests in the server, or null for no limit. Further requests are rejected with 503. */
  room: z.int().min(1).nullable().default(null),
  /** Approximate size of a page in bytes. */
  bytes: z.int().min(0).max(10_000_000).default(2_000),
  /**
   * Number of pieces in which a response is sent. If it is above 1, the response is chunked, has no length, and contains a number that
   * changes.
   */
  pieces: z.int().min(1).max(100).default(1),
  /** Whether each response requires a database query. */
  queries: z.boolean().default(false),
  /** Whether the connection is closed after each response. */
  closes: z.boolean().default(false),
  tls: z.strictObject({ key: z.string(), certificate: z.string() }).nullable().default(null),
  seed: z.int().default(1),
});
export type PageSettings = z.input<typeof pageSettingsSchema>;
