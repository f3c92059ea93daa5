import { z } from 'zod';
import { runFreezeSchema } from '../freeze.ts';
import { MAX_STAGE_SECONDS, MAX_USERS } from '#core/plan/schema/load.ts';

const intervalSchema = z.strictObject({ value: z.number(), low: z.number(), high: z.number() });
export type Interval = z.infer<typeof intervalSchema>;

export const SERVER_KINDS = ['synchronous', 'asynchronous', 'unknown'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

/** What a server is, as far as it has shown. Intervals are those that would hold the true value in 95 of 100 such measurements. */
export const characterAnswerSchema = z.strictObject({
  kind: z.literal('characterize'),
  server: z.enum(SERVER_KINDS),
  sentence: z.string(),
  /** Time of an answer when nothing else is asked for. */
  serviceMs: intervalSchema.nullable(),
  /** Requests that it works on at a time; null where it has no such limit, or nobody knows. */
  workers: intervalSchema.nullable(),
  /** That many at a time did not have to wait; of a server without a limit, all that were tried. */
  atOnce: z.int().nullable(),
  /** The most good answers a second while all workers were busy. */
  fullPerSecond: z.number().nullable(),
  /** Requests that may wait beside those worked on: turned away beyond, or at least so many. */
  queueLength: intervalSchema.nullable(),
  queueAtLeast: z.int().nullable(),
  /** After which time somebody gives up a request; null where nobody did within `longestMs`. */
  timeoutMs: z.number().nullable(),
  longestMs: z.number().nullable(),
  /** The fewest users at which it stood still, and how; null where it never did. */
  freeze: runFreezeSchema.extend({ users: z.int() }).nullable().default(null),
  keepAlive: z.strictObject({
    /** Whether a connection serves more than one request. */
    reuses: z.boolean().nullable(),
    closedAfterSeconds: z.number().nullable(),
    openForSeconds: z.number().nullable(),
    statedSeconds: z.number().nullable(),
  }),
  /** How each of these follows from what was measured, one after the other. */
  reasoning: z.array(z.strictObject({ about: z.string(), text: z.string() })),
  /** The mistake that is easily made with these numbers; null where there is none to make. */
  trap: z.string().nullable(),
});
export type CharacterAnswer = z.infer<typeof characterAnswerSchema>;
export type Reason = CharacterAnswer['reasoning'][number];

/** How an unknown server is looked at. */
export const characterizeSettingsSchema = z.strictObject({
  /** It is asked by 1, 2, 4 … users at a time, up to so many. A server that does more at once than that is called asynchronous. */
  maxUsers: z.int().min(8).max(MAX_USERS).default(128),
  /** Counted time of each of these at least; it is longer where answers take long. */
  secondsEach: z.number().min(1).max(600).default(3),
  /** For how long a connection is left alone at the end, to see after how long the server closes it. */
  idleSeconds: z.number().min(0).max(600).default(10),
  coolDownSeconds: z.number().min(0).max(600).default(1),
  baselineSeconds: z.number().min(0).max(600).default(20),
  /** In all, pauses included. Nothing is begun that would go beyond. */
  maxSeconds: z.number().positive().max(MAX_STAGE_SECONDS).default(600),
});
export type CharacterizeSettings = z.output<typeof characterizeSettingsSchema>;
