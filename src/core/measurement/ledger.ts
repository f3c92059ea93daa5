import { z } from 'zod';

/**
 * What can become of a request. `sent` is always the sum of all of them but `notMade` and of `inFlight`; docs/method.md defines each. Order is the order in which
 * they are shown, and written in windows: new ones come last.
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
  'notMade',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Those of requests that were sent: what lacked a value was never made, and no server has seen it. */
export const SENT_OUTCOMES = OUTCOMES.filter((outcome) => outcome !== 'notMade');

const count = z.int().min(0);

export const requestLedgerSchema = z.strictObject({
  sent: count,
  ok: count,
  httpError: count,
  wrongBody: count,
  timeout: count,
  refused: count,
  reset: count,
  noPort: count,
  noFile: count,
  dns: count,
  tls: count,
  otherError: count,
  /** In none of the others: it failed before it could be sent. Older results count it as sent, among the other errors. */
  notMade: count.default(0),
  inFlight: count,
});
export type RequestLedger = z.infer<typeof requestLedgerSchema>;

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
  return {
    sent: 0,
    ok: 0,
    httpError: 0,
    wrongBody: 0,
    timeout: 0,
    refused: 0,
    reset: 0,
    noPort: 0,
    noFile: 0,
    dns: 0,
    tls: 0,
    otherError: 0,
    notMade: 0,
    inFlight: 0,
  };
}

/** Requests that journeys came to, whether or not they could be made. */
export function wantedRequests({ sent, notMade }: RequestLedger): number {
  return sent + notMade;
}

/** Requests that were not answered well up to now, those on their way left aside. */
export function failedRequests(requests: RequestLedger): number {
  return wantedRequests(requests) - requests.ok - requests.inFlight;
}

/** Share of requests without a good answer, those that were never answered among them, 0 to 1; null where none was wanted. */
export function failedShareOf(requests: RequestLedger): number | null {
  const wanted = wantedRequests(requests);
  return wanted === 0 ? null : (wanted - requests.ok) / wanted;
}
