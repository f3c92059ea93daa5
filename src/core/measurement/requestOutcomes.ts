import { z } from 'zod';
import { type Counters, zeroCounters, fillRecord } from './counters.ts';

/**
 * Outcomes of a request. `sent` is always the sum of `inFlight` and all outcomes except {@link UNSENT_OUTCOMES}; docs/method.md defines
 * each outcome. They are displayed and encoded in this order, so new outcomes are appended.
 */
export const OUTCOMES = [
  'ok',
  'httpError',
  'wrongBody',
  'timeout',
  'refused',
  'reset',
  'noPort',
  'noFile',
  'dns',
  'tls',
  'otherError',
  /** The request failed before it could be sent. */
  'notMade',
  /** The request still waited for a connection or a stream when the run ended. */
  'neverSent',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes of requests that never left the load generator, because a port, a file, a value or a connection was missing. */
export const UNSENT_OUTCOMES = ['noPort', 'noFile', 'notMade', 'neverSent'] as const satisfies readonly Outcome[];
const UNSENT_OUTCOME_SET: ReadonlySet<Outcome> = new Set(UNSENT_OUTCOMES);

export const SENT_OUTCOMES = OUTCOMES.filter((outcome) => !UNSENT_OUTCOME_SET.has(outcome));

const count = z.int().min(0);

export const REQUEST_COUNTERS = ['sent', ...OUTCOMES, 'inFlight'] as const;
export type RequestOutcomes = Counters<typeof REQUEST_COUNTERS>;

export const requestOutcomesSchema = z.strictObject(fillRecord(REQUEST_COUNTERS, count));

export const journeyOutcomesSchema = z.strictObject({
  /** Number of planned journeys; null for a plan by duration, because their number is unknown. */
  planned: count.nullable(),
  started: count,
  notStarted: z.strictObject({ target: count, generator: count, stopped: count }),
  finished: count,
  abandoned: count,
  running: count,
});
export type JourneyOutcomes = z.infer<typeof journeyOutcomesSchema>;

export const outcomesSchema = z.strictObject({
  journeys: journeyOutcomesSchema,
  requests: requestOutcomesSchema,
  /** Outcomes of side calls, which count in no figure and in no other outcome. Omitted if the plan has none. */
  sideCalls: requestOutcomesSchema.optional(),
});
export type RunOutcomes = z.infer<typeof outcomesSchema>;

/** Returns request outcomes of 0, to which others can be added. */
export function emptyRequestOutcomes(): RequestOutcomes {
  return zeroCounters(REQUEST_COUNTERS);
}

/** Counts the requests with a complete response of any status and content. */
export function countResponses({ ok, httpError, wrongBody }: Pick<RequestOutcomes, 'ok' | 'httpError' | 'wrongBody'>): number {
  return ok + httpError + wrongBody;
}

/** Returns the number of requests that journeys reached, whether or not they could be sent. */
export function countWanted(requests: Pick<RequestOutcomes, 'sent' | (typeof UNSENT_OUTCOMES)[number]>): number {
  return UNSENT_OUTCOMES.reduce((sum, outcome) => sum + requests[outcome], requests.sent);
}

/** Counts the requests that failed, without those in flight. */
export function countFailedRequests(requests: RequestOutcomes): number {
  return countWanted(requests) - requests.ok - requests.inFlight;
}

/** Counts failed requests, and arrivals that could not start because the target had too many outstanding. */
export function sumFailures({ requests, journeys }: Pick<RunOutcomes, 'requests' | 'journeys'>): number {
  return countFailedRequests(requests) + journeys.notStarted.target;
}

/** Counts what was due, the denominator for {@link sumFailures}. */
export function countDue({ requests, journeys }: Pick<RunOutcomes, 'requests' | 'journeys'>): number {
  return countWanted(requests) + journeys.notStarted.target;
}

/**
 * Returns the share of requests without a successful response, including those without any response, 0 to 1; null if there are no requests.
 */
export function findFailedShare(requests: RequestOutcomes): number | null {
  const wanted = countWanted(requests);
  return wanted === 0 ? null : (wanted - requests.ok) / wanted;
}
