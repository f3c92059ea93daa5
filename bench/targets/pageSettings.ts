import { z } from 'zod';
import { parseDelay } from './delays.ts';

/** A server with pages, as `pageServer.ts` reads it. */
export const pageSettingsSchema = z.strictObject({
  /** How long it works on a request, in the form that `parseDelay` reads. */
  delay: z.string().refine((text) => parseDelay(text) !== null),
  /** How many requests it works on at a time, the others wait; null: all of them. */
  workers: z.int().min(1).nullable().default(null),
  /** Whoever comes when so many are inside is turned away with 503; null: nobody is. */
  room: z.int().min(1).nullable().default(null),
  /** About so long is a page. */
  bytes: z.int().min(0).max(10_000_000).default(2_000),
  /** More than one: without a length, in so many pieces, and with a number in it that changes. */
  pieces: z.int().min(1).max(100).default(1),
  /** Looks for rows in a database before it answers. */
  queries: z.boolean().default(false),
  /** Ends the connection after each answer. */
  closes: z.boolean().default(false),
  tls: z.strictObject({ key: z.string(), certificate: z.string() }).nullable().default(null),
  seed: z.int().default(1),
});
export type PageSettings = z.input<typeof pageSettingsSchema>;
