import { z } from 'zod';

/** What is wrong with a small site; `none` and `list` are sites with which nothing is wrong. */
export const CAUSES = [
  'none',
  /** A list that grows with each request. */
  'list',
  /** Every page is a redirect to the login, or not there. */
  'redirect',
  'missing',
  /** A login takes processor time, in one thread. */
  'hash',
  /** Nothing is sent, or only 503, from one second to another. */
  'freeze',
  'outage',
  /** Slow until a second. */
  'cold',
  /** 502 at once where so many are inside. */
  'backlog',
  /** Of each `share` accounts one is refused by its content; of each `share` pages one is cut off. */
  'accounts',
  'cut',
  /** Every second response in two writes, with Nagle’s algorithm. */
  'nagle',
] as const;

export const causeSettingsSchema = z.strictObject({
  cause: z.enum(CAUSES),
  /** Of each request. */
  ms: z.number().min(0).default(0),
  /** null: all at once. */
  workers: z.int().min(1).nullable().default(null),
  room: z.int().min(1).nullable().default(null),
  fromSecond: z.number().default(0),
  toSecond: z.number().default(0),
  share: z.int().min(2).default(4),
});
export type CauseSettings = z.input<typeof causeSettingsSchema>;
