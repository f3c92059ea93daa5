import { describe, expect, it } from 'vitest';
import {
  countResponses,
  emptyRequestOutcomes,
  countFailedRequests,
  findFailedShare,
  REQUEST_COUNTERS,
  OUTCOMES,
  requestOutcomesSchema,
  SENT_OUTCOMES,
  countWanted,
} from './requestOutcomes.ts';

describe('request outcomes', () => {
  it('start at 0 with each outcome', () => {
    const outcomes = emptyRequestOutcomes();
    expect(Object.keys(outcomes)).toEqual([...REQUEST_COUNTERS]);
    expect(new Set(Object.values(outcomes))).toEqual(new Set([0]));
    expect(requestOutcomesSchema.safeParse(outcomes).success).toBe(true);
    expect(requestOutcomesSchema.safeParse({ ...outcomes, ok: -1 }).success).toBe(false);
    expect(requestOutcomesSchema.safeParse({ ...outcomes, ok: 0.5 }).success).toBe(false);
  });

  it('count complete responses with any status or content', () => {
    expect(countResponses({ ...emptyRequestOutcomes(), ok: 4, httpError: 2, wrongBody: 1 })).toBe(7);
  });

  it('count requests that never left the load generator among the wanted requests, not among the sent ones', () => {
    expect(SENT_OUTCOMES).toEqual(OUTCOMES.filter((outcome) => !['noPort', 'noFile', 'notMade', 'neverSent'].includes(outcome)));
    const outcomes = {
      ...emptyRequestOutcomes(),
      sent: 90,
      ok: 70,
      timeout: 15,
      inFlight: 5,
      notMade: 4,
      neverSent: 1,
      noFile: 3,
      noPort: 2,
    };
    expect(countWanted(outcomes)).toBe(100);
    expect(countFailedRequests(outcomes)).toBe(25);
    expect(findFailedShare(outcomes)).toBe(0.3);
  });

  it('have no failed share without requests', () => {
    expect(findFailedShare(emptyRequestOutcomes())).toBeNull();
    expect(findFailedShare({ ...emptyRequestOutcomes(), sent: 1, ok: 1 })).toBe(0);
  });
});
