import { z } from 'zod';

/** Possible defects of a small site. `none` and `list` are healthy. */
export const CAUSES = [
  'none',
  /** The site has a list that grows with each request. */
  'list',
  /** Every page redirects to the login, or does not exist. */
  'redirect',
  'missing',
  /** Each login takes processor time on one thread. */
  'hash',
  /** Between two given seconds, the site sends nothing, or only 503. */
  'freeze',
  'outage',
  /** The site is slow until a given second. */
  'cold',
  /** Above a given number of simultaneous requests, the site sends 502 at once. */
  'backlog',
  /** One in `share` accounts is rejected by the content of the response; one in `share` pages is truncated. */
  'accounts',
  'cut',
  /** Every second response is sent in two writes while Nagle's algorithm is on. */
  'nagle',
] as const;

export const causeSettingsSchema = z.strictObject({
  cause: z.enum(CAUSES),
  /** Service time of each request in ms. */
  ms: z.number().min(0).default(0),
  /** Number of workers; null means no limit. */
  workers: z.int().min(1).nullable().default(null),
  room: z.int().min(1).nullable().default(null),
  fromSecond: z.number().default(0),
  toSecond: z.number().default(0),
  share: z.int().min(2).default(4),
});
export type CauseSettings = z.input<typeof causeSettingsSchema>;
