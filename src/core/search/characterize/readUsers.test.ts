import { describe, expect, it } from 'vitest';
import type { RunResult } from '#core/result/schema.ts';
import { planWith } from '#core/testing/plans.ts';
import { randomFrom, buildRunResult, simulate } from '#core/testing/queueRun.ts';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { planOfUsers } from './levels.ts';
import { readUsers, type UsersReading } from './reading.ts';

const plan = planOfUsers(planWith(), { users: 2, startUpSeconds: 0, seconds: 3, pauseSeconds: 0.1 });
const calm = buildRunResult(plan, simulate(plan, { workers: 8, serviceMs: (random) => 99 + 2 * random() }, randomFrom(1)));
type Stage = RunResult['stages'][number];

/** Returns the reading of a run that differs from the base run by the given changes. */
function read(stage: (one: Stage) => Partial<Stage> = () => ({})): UsersReading {
  return readUsers({ ...calm, stages: calm.stages.map((one) => ({ ...one, ...stage(one) })) }, 2);
}

describe('readUsers', () => {
  it('returns the think time and the duration', () => {
    const { sent } = read();
    expect(read()).toMatchObject({ users: 2, pauseMs: 100, seconds: 3, ok: sent, failed: 0, startUp: { sent: 0, failed: 0 } });
    const unpaused = { ...calm.plan, load: planWith({ load: { model: 'users', stages: [{ users: 2, seconds: 3 }] } }).load };
    expect(readUsers({ ...calm, plan: unpaused }, 2).pauseMs).toBe(0);
  });

  it('returns the rate of successes, and none without responses', () => {
    const half = read((one) => ({ requests: { ...one.requests, sent: 40, ok: 20, httpError: 10, wrongBody: 10 } }));
    expect(half.okPerSecond).toBeCloseTo((read().okPerSecond ?? 0) / 2, 9);
    expect(read((one) => ({ rates: { ...one.rates, completedPerSecond: null } })).okPerSecond).toBeNull();
    expect(read(() => ({ requests: { ...emptyRequestOutcomes(), sent: 40, refused: 40 } }))).toMatchObject({
      okPerSecond: null,
      meanMs: null,
      failed: 40,
    });
  });

  it('returns time-outs by cause, and failures before all users were running', () => {
    const given = read((one) => ({
      requests: { ...one.requests, timeout: 3, inFlight: 2 },
      status: { ...one.status, 504: 4 },
      startUp: { requests: { ...emptyRequestOutcomes(), sent: 9, ok: 7 }, status: {}, errors: {} },
    }));
    expect(given).toMatchObject({ timeouts: 5, gatewayTimeouts: 4, startUp: { sent: 9, failed: 2 } });
    expect(read().gatewayTimeouts).toBe(0);
  });

  it('returns no longest time if a request had no response, but the mean of the others', () => {
    const never = read((one) => ({ latencyByStatusClass: { '2xx': { ...one.latency.service, max: 'never' } } }));
    expect(never.longestMs).toBeNull();
    expect(never.meanMs).toBeCloseTo(100, 0);
  });

  it('requires the stage of the users', () => {
    expect(() => readUsers({ ...calm, stages: [] }, 2)).toThrow('has their stage');
  });
});
