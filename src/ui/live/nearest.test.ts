import { describe, expect, it } from 'vitest';
import { loadSchema } from '#core/plan/schema/load.ts';
import { planWith } from '#core/testing/plans.ts';
import { samplePoint } from '#core/testing/points.ts';
import { nearestToFailing, restingBefore } from './nearest.ts';
import { sampleLive, sampleRequests } from './testing/live.ts';

const within = (limitMs: number, more: object = {}) => ({ kind: 'responseTime' as const, percentile: 95, limitMs, ...more });
const errors = (maxShare: number) => ({ kind: 'errors' as const, maxShare });
const failing = (ok: number, httpError: number) => {
  const live = sampleLive();
  return { ...live, ledger: { ...live.ledger, requests: sampleRequests({ sent: ok + httpError, ok, httpError }) } };
};

describe('nearestToFailing', () => {
  it('is the figure that has used up the largest part of its criterion', () => {
    expect(nearestToFailing(planWith({ objectives: [within(30), errors(0.1)] }), failing(99, 1), 100)).toBe('within');
    expect(nearestToFailing(planWith({ objectives: [within(300), errors(0.1)] }), failing(91, 9), 100)).toBe('failures');
    const both = [within(300), { kind: 'throughput' as const, minPerSecond: 90 }];
    expect(nearestToFailing(planWith({ objectives: both }), sampleLive(), 100)).toBe('answers');
  });

  it('counts one failure as beyond a criterion of none', () => {
    expect(nearestToFailing(planWith({ objectives: [within(25), errors(0)] }), failing(9_999, 1), 100)).toBe('failures');
    expect(nearestToFailing(planWith({ objectives: [within(25), errors(0)] }), failing(9_999, 0), 100)).toBe('within');
  });

  it('is none where nothing is asked of the whole run', () => {
    expect(nearestToFailing(undefined, sampleLive(), 100)).toBeNull();
    expect(nearestToFailing(planWith({ objectives: [within(30, { of: 'pages' })] }), sampleLive(), 100)).toBeNull();
    expect(nearestToFailing(planWith({ objectives: [{ kind: 'throughput', minPerSecond: 5 }] }), sampleLive(), null)).toBeNull();
  });
});

describe('restingBefore', () => {
  const stages = [
    { users: 4, seconds: 20 },
    { users: 8, restSeconds: 10, startUpSeconds: 4, seconds: 20 },
  ];
  const plan = planWith({ load: loadSchema.parse({ model: 'users', stages }) });
  const at = (elapsedSeconds: number) => restingBefore(plan, sampleLive({ elapsedSeconds }), samplePoint(0, { started: 0 }));

  it('is how many users come next while none runs', () => {
    expect([10, 22, 31, 40].map(at)).toEqual([null, 8, null, null]);
  });

  it('is nothing as long as requests still start, or the load comes otherwise', () => {
    expect(restingBefore(plan, sampleLive({ elapsedSeconds: 22 }), samplePoint(21))).toBeNull();
    expect(restingBefore(planWith({}), sampleLive({ elapsedSeconds: 22 }), undefined)).toBeNull();
  });
});
