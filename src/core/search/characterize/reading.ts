import { z } from 'zod';
import { runFreezeSchema } from '../freeze.ts';

/** What so many users at a time got, who asked again shortly after each answer. Times are service times of good answers in ms. */
export const usersReadingSchema = z.strictObject({
  kind: z.literal('users'),
  users: z.int(),
  /** Between an answer and the next request. */
  pauseMs: z.number(),
  /** Counted: from when all users asked. */
  seconds: z.number(),
  sent: z.int(),
  ok: z.int(),
  okPerSecond: z.number().nullable(),
  meanMs: z.number().nullable(),
  standardDeviationMs: z.number().nullable(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  longestMs: z.number().nullable(),
  failed: z.int(),
  /** Answers with a status of 500 or more, and how long they took: half of them, 19 of 20. */
  errorAnswers: z.int(),
  errorP50Ms: z.number().nullable(),
  errorP95Ms: z.number().nullable(),
  /** Of which these are a proxy that gave up (504). */
  gatewayTimeouts: z.int(),
  refused: z.int(),
  reset: z.int(),
  timeouts: z.int(),
  connectionsOpened: z.int(),
  reusedConnections: z.int(),
  /** Sent while not all users ran, which is not counted, and how many of these failed. */
  startUp: z.strictObject({ sent: z.int(), failed: z.int() }).default({ sent: 0, failed: 0 }),
  /** The longest time without a response, in which a quick server stood still; null where there was none of 5 s. */
  freeze: runFreezeSchema.nullable().default(null),
  sickSeconds: z.int(),
});
export type UsersReading = z.infer<typeof usersReadingSchema>;

/** What became of a connection that was used once and then left alone. */
export const idleReadingSchema = z.strictObject({
  kind: z.literal('idle'),
  /** Seconds from its answer until the server closed it; null when it was still open at the end. */
  closedAfterSeconds: z.number().nullable(),
  watchedSeconds: z.number(),
  /** What the server says itself, in its header Keep-Alive. */
  statedSeconds: z.number().nullable(),
  statedRequests: z.number().nullable(),
  /** Why nothing was seen; null where something was. */
  problem: z.string().nullable(),
});
export type IdleReading = z.infer<typeof idleReadingSchema>;
