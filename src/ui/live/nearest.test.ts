import { describe, expect, it } from 'vitest';
import { loadSchema } from '#core/plan/schema/load.ts';
import { planWith } from '#core/testing/plans.ts';
import { samplePoint } from '#core/testing/points.ts';
import { findNearestToFailing, usersAfterRest } from './nearest.ts';
import { sampleLive, sampleRequests } from './testing/live.ts';

const timeCriterion = (maxMs: number, more: object = {}) => ({ kind: 'responseTime' as const, percentile: 95, maxMs, ...more });
const errorCriterion = (maxShare: number) => ({ kind: 'errors' as const, maxShare });
const liveWithErrors = (ok: number, httpError: number) => {
  const live = sampleLive();
  return { ...live, outcomes: { ...live.outcomes, requests: sampleRequests({ sent: ok + httpError, ok, httpError }) } };
};

describe('findNearestToFailing', () => {
  it('returns the figure that has used up the largest part of its criterion', () => {
    expect(findNearestToFailing(planWith({ criteria: [timeCriterion(30), errorCriterion(0.1)] }), liveWithErrors(99, 1), 100)).toBe(
      'within',
    );
    expect(findNearestToFailing(planWith({ criteria: [timeCriterion(300), errorCriterion(0.1)] }), liveWithErrors(91, 9), 100)).toBe(
      'failures',
    );
    const both = [timeCriterion(300), { kind: 'throughput' as const, minPerSecond: 90 }];
    expect(findNearestToFailing(planWith({ criteria: both }), sampleLive(), 100)).toBe('answers');
  });

  it('counts one failure as a missed criterion if no failures are allowed', () => {
    expect(findNearestToFailing(planWith({ criteria: [timeCriterion(25), errorCriterion(0)] }), liveWithErrors(9_999, 1), 100)).toBe(
      'failures',
    );
    expect(findNearestToFailing(planWith({ criteria: [timeCriterion(25), errorCriterion(0)] }), liveWithErrors(9_999, 0), 100)).toBe(
      'within',
    );
  });

  it('returns null if no criterion applies to the whole run', () => {
    expect(findNearestToFailing(undefined, sampleLive(), 100)).toBeNull();
    expect(findNearestToFailing(planWith({ criteria: [timeCriterion(30, { of: 'pages' })] }), sampleLive(), 100)).toBeNull();
    expect(findNearestToFailing(planWith({ criteria: [{ kind: 'throughput', minPerSecond: 5 }] }), sampleLive(), null)).toBeNull();
  });
});

describe('usersAfterRest', () => {
  const stages = [
    { users: 4, seconds: 20 },
    { users: 8, restSeconds: 10, startUpSeconds: 4, seconds: 20 },
  ];
  const plan = planWith({ load: loadSchema.parse({ model: 'users', stages }) });
  const usersAt = (elapsedSeconds: number) => usersAfterRest(plan, sampleLive({ elapsedSeconds }), samplePoint(0, { started: 0 }));

  it('returns the number of users in the next stage during a rest', () => {
    expect([10, 22, 31, 40].map(usersAt)).toEqual([null, 8, null, null]);
  });

  it('returns null while requests are still being sent, and for other load models', () => {
    expect(usersAfterRest(plan, sampleLive({ elapsedSeconds: 22 }), samplePoint(21))).toBeNull();
    expect(usersAfterRest(planWith({}), sampleLive({ elapsedSeconds: 22 }), undefined)).toBeNull();
  });
});
