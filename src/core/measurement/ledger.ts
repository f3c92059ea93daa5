import { z } from 'zod';
import { type Counters, noCounters, recordOf } from './counters.ts';

/**
 * The outcomes of a request. `sent` is always the sum of `inFlight` and all outcomes except {@link UNSENT_OUTCOMES}; docs/method.md defines each outcome.
 * They are shown, and written in windows, in this order: new outcomes come last.
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
  /** It failed before it could be sent. */
  'notMade',
  /** It still waited for a connection or a stream when the run ended. */
  'neverSent',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes of requests that never left the load generator, because a port, a file, a value or a connection was missing. No server has seen these requests. */
export const UNSENT_OUTCOMES = ['noPort', 'noFile', 'notMade', 'neverSent'] as const satisfies readonly Outcome[];
const UNSENT: ReadonlySet<Outcome> = new Set(UNSENT_OUTCOMES);

export const SENT_OUTCOMES = OUTCOMES.filter((outcome) => !UNSENT.has(outcome));

const count = z.int().min(0);

/** Counters of a ledger of requests. */
export const LEDGER_COUNTERS = ['sent', ...OUTCOMES, 'inFlight'] as const;
export type RequestLedger = Counters<typeof LEDGER_COUNTERS>;

export const requestLedgerSchema = z.strictObject(recordOf(LEDGER_COUNTERS, count));

export const journeyLedgerSchema = z.strictObject({
  /** null for a plan by duration: nothing says how many there would have been. */
  planned: count.nullable(),
  started: count,
  notStarted: z.strictObject({ target: count, generator: count, stopped: count }),
  finished: count,
  abandoned: count,
  running: count,
});
export type JourneyLedger = z.infer<typeof journeyLedgerSchema>;

export const ledgerSchema = z.strictObject({
  journeys: journeyLedgerSchema,
  requests: requestLedgerSchema,
  /** Requests that are part of no figure, and of none of the others; left out where a plan makes none. */
  sideCalls: requestLedgerSchema.optional(),
});
export type Ledger = z.infer<typeof ledgerSchema>;

/** A ledger of no requests at all, to add to. */
export function emptyRequestLedger(): RequestLedger {
  return noCounters(LEDGER_COUNTERS);
}

/** Requests that got a complete response, whatever it says. */
export function answeredRequests({ ok, httpError, wrongBody }: Pick<RequestLedger, 'ok' | 'httpError' | 'wrongBody'>): number {
  return ok + httpError + wrongBody;
}

/** Returns the number of requests that journeys reached, whether or not they could be sent. */
export function wantedRequests(requests: Pick<RequestLedger, 'sent' | (typeof UNSENT_OUTCOMES)[number]>): number {
  return UNSENT_OUTCOMES.reduce((sum, outcome) => sum + requests[outcome], requests.sent);
}

/** Requests that were not answered well up to now, those on their way left aside. */
export function failedRequests(requests: RequestLedger): number {
  return wantedRequests(requests) - requests.ok - requests.inFlight;
}

/** What failed of a load: requests, and arrivals that could not start because the target had too many outstanding. */
export function failuresOf({ requests, journeys }: Pick<Ledger, 'requests' | 'journeys'>): number {
  return failedRequests(requests) + journeys.notStarted.target;
}

/** What {@link failuresOf} is a part of. */
export function dueOf({ requests, journeys }: Pick<Ledger, 'requests' | 'journeys'>): number {
  return wantedRequests(requests) + journeys.notStarted.target;
}

/** Share of requests without a good answer, those that were never answered among them, 0 to 1; null where none was wanted. */
export function failedShareOf(requests: RequestLedger): number | null {
  const wanted = wantedRequests(requests);
  return wanted === 0 ? null : (wanted - requests.ok) / wanted;
}
