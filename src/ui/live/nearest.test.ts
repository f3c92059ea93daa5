import { describe, expect, it } from 'vitest';
import { loadSchema } from '#core/plan/schema/load.ts';
import { planWith } from '#core/testing/plans.ts';
import { samplePoint } from '#core/testing/points.ts';
import { nearestToFailing, restingBefore } from './nearest.ts';
import { sampleLive, sampleRequests } from './testing/live.ts';

const within = (maxMs: number, more: object = {}) => ({ kind: 'responseTime' as const, percentile: 95, maxMs, ...more });
const errors = (maxShare: number) => ({ kind: 'errors' as const, maxShare });
const failing = (ok: number, httpError: number) => {
  const live = sampleLive();
  return { ...live, outcomes: { ...live.outcomes, requests: sampleRequests({ sent: ok + httpError, ok, httpError }) } };
};

describe('nearestToFailing', () => {
  it('returns the figure that has used the largest part of its criterion', () => {
    expect(nearestToFailing(planWith({ criteria: [within(30), errors(0.1)] }), failing(99, 1), 100)).toBe('within');
    expect(nearestToFailing(planWith({ criteria: [within(300), errors(0.1)] }), failing(91, 9), 100)).toBe('failures');
    const both = [within(300), { kind: 'throughput' as const, minPerSecond: 90 }];
    expect(nearestToFailing(planWith({ criteria: both }), sampleLive(), 100)).toBe('answers');
  });

  it('counts one failure as a missed criterion if no failures are allowed', () => {
    expect(nearestToFailing(planWith({ criteria: [within(25), errors(0)] }), failing(9_999, 1), 100)).toBe('failures');
    expect(nearestToFailing(planWith({ criteria: [within(25), errors(0)] }), failing(9_999, 0), 100)).toBe('within');
  });

  it('returns null without a criterion for the whole run', () => {
    expect(nearestToFailing(undefined, sampleLive(), 100)).toBeNull();
    expect(nearestToFailing(planWith({ criteria: [within(30, { of: 'pages' })] }), sampleLive(), 100)).toBeNull();
    expect(nearestToFailing(planWith({ criteria: [{ kind: 'throughput', minPerSecond: 5 }] }), sampleLive(), null)).toBeNull();
  });
});

describe('restingBefore', () => {
  const stages = [
    { users: 4, seconds: 20 },
    { users: 8, restSeconds: 10, startUpSeconds: 4, seconds: 20 },
  ];
  const plan = planWith({ load: loadSchema.parse({ model: 'users', stages }) });
  const at = (elapsedSeconds: number) => restingBefore(plan, sampleLive({ elapsedSeconds }), samplePoint(0, { started: 0 }));

  it('returns the number of users of the next stage during a rest', () => {
    expect([10, 22, 31, 40].map(at)).toEqual([null, 8, null, null]);
  });

  it('returns null while requests are still being sent, and for other load models', () => {
    expect(restingBefore(plan, sampleLive({ elapsedSeconds: 22 }), samplePoint(21))).toBeNull();
    expect(restingBefore(planWith({}), sampleLive({ elapsedSeconds: 22 }), undefined)).toBeNull();
  });
});
