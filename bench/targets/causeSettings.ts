import { z } from 'zod';

/** Defects of a small site; `none` and `list` are healthy. */
export const CAUSES = [
  'none',
  /** A list that grows with each request. */
  'list',
  /** Every page redirects to the login, or is missing. */
  'redirect',
  'missing',
  /** A login takes processor time in one thread. */
  'hash',
  /** Sends nothing, or only 503, between two seconds. */
  'freeze',
  'outage',
  /** Slow until a second. */
  'cold',
  /** 502 at once above this number of simultaneous requests. */
  'backlog',
  /** One in `share` accounts is rejected by its content; one in `share` pages is truncated. */
  'accounts',
  'cut',
  /** Every second response in two writes, with Nagle's algorithm. */
  'nagle',
] as const;

export const causeSettingsSchema = z.strictObject({
  cause: z.enum(CAUSES),
  /** Service time of each request. */
  ms: z.number().min(0).default(0),
  /** null: unlimited. */
  workers: z.int().min(1).nullable().default(null),
  room: z.int().min(1).nullable().default(null),
  fromSecond: z.number().default(0),
  toSecond: z.number().default(0),
  share: z.int().min(2).default(4),
});
export type CauseSettings = z.input<typeof causeSettingsSchema>;
