import { describe, expect, it } from 'vitest';
import {
  answeredRequests,
  emptyRequestLedger,
  failedRequests,
  failedShareOf,
  LEDGER_COUNTERS,
  OUTCOMES,
  requestLedgerSchema,
  SENT_OUTCOMES,
  wantedRequests,
} from './ledger.ts';

describe('request outcomes', () => {
  it('start at 0 with each outcome', () => {
    const ledger = emptyRequestLedger();
    expect(Object.keys(ledger)).toEqual([...LEDGER_COUNTERS]);
    expect(new Set(Object.values(ledger))).toEqual(new Set([0]));
    expect(requestLedgerSchema.safeParse(ledger).success).toBe(true);
    expect(requestLedgerSchema.safeParse({ ...ledger, ok: -1 }).success).toBe(false);
    expect(requestLedgerSchema.safeParse({ ...ledger, ok: 0.5 }).success).toBe(false);
  });

  it('count complete responses with any status or content', () => {
    expect(answeredRequests({ ...emptyRequestLedger(), ok: 4, httpError: 2, wrongBody: 1 })).toBe(7);
  });

  it('count requests that never left the load generator as wanted but not as sent', () => {
    expect(SENT_OUTCOMES).toEqual(OUTCOMES.filter((outcome) => !['noPort', 'noFile', 'notMade', 'neverSent'].includes(outcome)));
    const ledger = { ...emptyRequestLedger(), sent: 90, ok: 70, timeout: 15, inFlight: 5, notMade: 4, neverSent: 1, noFile: 3, noPort: 2 };
    expect(wantedRequests(ledger)).toBe(100);
    expect(failedRequests(ledger)).toBe(25);
    expect(failedShareOf(ledger)).toBe(0.3);
  });

  it('have no failed share without requests', () => {
    expect(failedShareOf(emptyRequestLedger())).toBeNull();
    expect(failedShareOf({ ...emptyRequestLedger(), sent: 1, ok: 1 })).toBe(0);
  });
});
