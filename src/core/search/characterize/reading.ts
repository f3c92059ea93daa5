import { z } from 'zod';
import { findFreeze, runFreezeSchema } from '../freeze.ts';
import { countResponses, countWanted } from '#core/measurement/requestOutcomes.ts';
import { findOverload } from '#core/result/overload.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import type { TimeMs } from '#core/base/units.ts';

/**
 * Result for a number of users who send the next request shortly after each response. Times are service times of successful responses, in
 * ms.
 */
export const usersReadingSchema = z.strictObject({
  kind: z.literal('users'),
  users: z.int(),
  /** Pause between a response and the next request, in ms. */
  pauseMs: z.number(),
  /** Counted time in seconds, from the moment when all users are running. */
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
  /** Number of responses with a status of 500 or more, then the p50 and p95 of their times. */
  errorResponses: z.int(),
  errorP50Ms: z.number().nullable(),
  errorP95Ms: z.number().nullable(),
  /** Number of responses with status 504, which a proxy timed out. */
  gatewayTimeouts: z.int(),
  refused: z.int(),
  reset: z.int(),
  timeouts: z.int(),
  connectionsOpened: z.int(),
  reusedConnections: z.int(),
  /** Number of requests sent before all users were running, which do not count, and number of those that failed. */
  startUp: z.strictObject({ sent: z.int(), failed: z.int() }).default({ sent: 0, failed: 0 }),
  /** The longest time without a response; null if it was shorter than 5 s. */
  freeze: runFreezeSchema.nullable().default(null),
  overloadedSeconds: z.int(),
});
export type UsersReading = z.infer<typeof usersReadingSchema>;

/** Result of a connection that was used once and then left idle. */
export const idleReadingSchema = z.strictObject({
  kind: z.literal('idle'),
  /** Seconds from the response until the server closed the connection; null if it was still open at the end. */
  closedAfterSeconds: z.number().nullable(),
  watchedSeconds: z.number(),
  /** Seconds that the server's Keep-Alive header states; null if there is none. */
  statedSeconds: z.number().nullable(),
  statedRequests: z.number().nullable(),
  /** The reason why nothing was observed; null otherwise. */
  problem: z.string().nullable(),
});
export type IdleReading = z.infer<typeof idleReadingSchema>;

/** Reads the result of a run with users. It is pure: it uses only the result. */
export function readUsers(result: RunResult, users: number): UsersReading {
  const [stage] = result.stages;
  const { load } = result.plan;
  if (stage === undefined || load.model !== 'users') throw new TypeError('A run with users has their stage.');
  const pause = load.thinkTime?.kind === 'fixed' ? load.thinkTime.seconds : 0;
  const { requests, rates } = stage;
  const begun = stage.startUp?.requests;
  const good = requests.ok === 0 ? null : (stage.latencyByStatusClass['2xx'] ?? stage.latency.service);
  const bad = stage.latencyByStatusClass['5xx'] ?? null;
  const responded = countResponses(requests);
  return {
    kind: 'users',
    users,
    pauseMs: 1_000 * pause,
    seconds: load.stages[0]?.seconds ?? 0,
    sent: requests.sent,
    ok: requests.ok,
    okPerSecond: rates.completedPerSecond === null || responded === 0 ? null : (rates.completedPerSecond * requests.ok) / responded,
    ...timesOfReading(good),
    failed: countWanted(requests) - requests.ok,
    errorResponses: bad?.count ?? 0,
    errorP50Ms: known(bad?.p50),
    errorP95Ms: known(bad?.p95),
    gatewayTimeouts: stage.status['504'] ?? 0,
    refused: requests.refused,
    reset: requests.reset,
    timeouts: requests.timeout + requests.inFlight,
    connectionsOpened: stage.connectionsOpened,
    reusedConnections: stage.requestsOnReusedConnection,
    startUp: { sent: begun?.sent ?? 0, failed: begun === undefined ? 0 : begun.sent - begun.ok },
    freeze: findFreeze(result),
    overloadedSeconds: findOverload(result).seconds,
  };
}

function timesOfReading(
  good: LatencySummary | null,
): Pick<UsersReading, 'meanMs' | 'standardDeviationMs' | 'p50Ms' | 'p95Ms' | 'longestMs'> {
  return {
    meanMs: known(good?.mean),
    standardDeviationMs: known(good?.stddev),
    p50Ms: known(good?.p50),
    p95Ms: known(good?.p95),
    longestMs: known(good?.max),
  };
}

function known(time: TimeMs | undefined): number | null {
  return typeof time === 'number' ? time : null;
}
