import { z } from 'zod';

/**
 * What can become of a request that was sent. `sent` is always the sum of all of them and of `inFlight`; docs/method.md
 * defines each. Order is the order in which they are shown.
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
] as const;
export type Outcome = (typeof OUTCOMES)[number];

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
    inFlight: 0,
  };
}
