import { z } from 'zod';
import { runFreezeSchema } from '../freeze.ts';
import { MAX_STAGE_SECONDS, MAX_USERS } from '#core/plan/schema/load.ts';

const intervalSchema = z.strictObject({ value: z.number(), low: z.number(), high: z.number() });
export type Interval = z.infer<typeof intervalSchema>;

export const SERVER_KINDS = ['synchronous', 'asynchronous', 'unknown'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

/** Profile of a server. Intervals have 95 % confidence. */
export const characterConclusionSchema = z.strictObject({
  kind: z.literal('characterize'),
  server: z.enum(SERVER_KINDS),
  sentence: z.string(),
  /** Response time without load, in ms. */
  serviceMs: intervalSchema.nullable(),
  /** Number of requests processed at a time; null if unlimited or unknown. */
  workers: intervalSchema.nullable(),
  /** Number of users who did not have to wait. For a server without a limit, the highest number that was tried. */
  atOnce: z.int().nullable(),
  /** Maximum throughput while all workers were busy. */
  fullPerSecond: z.number().nullable(),
  /** Number of requests that may wait in addition to those in progress; null if unknown. */
  queueLength: intervalSchema.nullable(),
  /** Lower bound of the queue length if `queueLength` is unknown. */
  queueAtLeast: z.int().nullable(),
  /** Time in ms after which a request is timed out; null if none was within `longestMs`. */
  timeoutMs: z.number().nullable(),
  longestMs: z.number().nullable(),
  /** The freeze with the smallest number of users; null if the server never froze. */
  freeze: runFreezeSchema.extend({ users: z.int() }).nullable().default(null),
  keepAlive: z.strictObject({
    /** Whether a connection serves more than one request. */
    reuses: z.boolean().nullable(),
    closedAfterSeconds: z.number().nullable(),
    openForSeconds: z.number().nullable(),
    statedSeconds: z.number().nullable(),
  }),
  /** Derivation of each value from the measurements. */
  reasoning: z.array(z.strictObject({ about: z.string(), text: z.string() })),
  /** A mistake that is likely with these numbers; null if there is none. */
  trap: z.string().nullable(),
});
export type CharacterConclusion = z.infer<typeof characterConclusionSchema>;
export type Reason = CharacterConclusion['reasoning'][number];

/** Settings of a profile. */
export const characterizeSettingsSchema = z.strictObject({
  /** Maximum number of users. The server is tested with 1, 2, 4 … users. If it processes more at once, it is called asynchronous. */
  maxUsers: z.int().min(8).max(MAX_USERS).default(128),
  /** Minimum counted time of each run in seconds. It is longer for slow responses. */
  secondsEach: z.number().min(1).max(600).default(3),
  /** Seconds for which a connection is left idle at the end, to see when the server closes it. */
  idleSeconds: z.number().min(0).max(600).default(10),
  coolDownSeconds: z.number().min(0).max(600).default(1),
  baselineSeconds: z.number().min(0).max(600).default(20),
  /** Maximum total time in seconds, including pauses. Nothing starts that would exceed it. */
  maxSeconds: z.number().positive().max(MAX_STAGE_SECONDS).default(600),
});
export type CharacterizeSettings = z.output<typeof characterizeSettingsSchema>;
