import { z } from 'zod';
import { runFreezeSchema } from '../freeze.ts';

/** Result of a number of users who send the next request shortly after each response. Service times of successful responses in ms. */
export const usersReadingSchema = z.strictObject({
  kind: z.literal('users'),
  users: z.int(),
  /** Between a response and the next request. */
  pauseMs: z.number(),
  /** Counted time, from when all users are running. */
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
  /** Responses with a status of 500 or more, and their p50 and p95. */
  errorAnswers: z.int(),
  errorP50Ms: z.number().nullable(),
  errorP95Ms: z.number().nullable(),
  /** Those with status 504, timed out by a proxy. */
  gatewayTimeouts: z.int(),
  refused: z.int(),
  reset: z.int(),
  timeouts: z.int(),
  connectionsOpened: z.int(),
  reusedConnections: z.int(),
  /** Requests sent before all users were running, which do not count, and how many of them failed. */
  startUp: z.strictObject({ sent: z.int(), failed: z.int() }).default({ sent: 0, failed: 0 }),
  /** The longest time without a response; null if shorter than 5 s. */
  freeze: runFreezeSchema.nullable().default(null),
  overloadedSeconds: z.int(),
});
export type UsersReading = z.infer<typeof usersReadingSchema>;

/** Result of a connection that was used once and then left idle. */
export const idleReadingSchema = z.strictObject({
  kind: z.literal('idle'),
  /** Seconds from its response until the server closed it; null if it was still open at the end. */
  closedAfterSeconds: z.number().nullable(),
  watchedSeconds: z.number(),
  /** From the server's Keep-Alive header. */
  statedSeconds: z.number().nullable(),
  statedRequests: z.number().nullable(),
  /** Why nothing was observed; null otherwise. */
  problem: z.string().nullable(),
});
export type IdleReading = z.infer<typeof idleReadingSchema>;
