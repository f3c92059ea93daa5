import { describe, expect, it } from 'vitest';
import type { Criterion, Plan, PlanInput } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import {
  toLevelPlan,
  formatSearchLevel,
  computeMaxSeconds,
  planOfLevel,
  planOfRecovery,
  recoveryLevels,
  requestsPerSecond,
  secondsOfLevel,
  startOf,
} from './levels.ts';
import { breakingPointSettingsSchema } from './schema.ts';
import { passedLevel } from './testing/levelReadings.ts';

const open = (perSecond: number, changes: Partial<PlanInput> = {}): Plan =>
  planWith({ load: arrivals([{ kind: 'constant', perSecond, seconds: 30 }]), ...changes });
const crowd = planWith({ load: users([{ users: 30, seconds: 60 }]) });
const closed = planWith({ load: stages({ connections: 30, seconds: 60 }) });
const settings = breakingPointSettingsSchema.parse({});
const twoSteps = { journey: [{ name: 'a' }, { name: 'b' }] };

describe('start level of a search', () => {
  it('is a quarter of the highest counted level, rounded for users and connections', () => {
    expect([startOf(open(50), {}), startOf(crowd, {}), startOf(closed, {})]).toEqual([12.5, 8, 8]);
    expect(startOf(open(12.345), {})).toBe(3.09);
    const two = stages({ connections: 400, seconds: 5, counted: false }, { connections: 20, seconds: 5 }, { connections: 8, seconds: 5 });
    expect(startOf(planWith({ load: two }), {})).toBe(5);
    expect(startOf(planWith({ load: stages({ connections: 1, seconds: 5 }) }), {})).toBe(1);
    expect(startOf(open(0), {})).toBe(1);
  });

  it('is the requested level', () => {
    expect([startOf(open(50), { from: 0.5 }), startOf(crowd, { from: 0.4 }), startOf(crowd, { from: 6.6 })]).toEqual([0.5, 1, 7]);
  });
});

describe('levels of a plan with a bell', () => {
  const atBell = planWith({
    journey: [{ name: 'log in' }, { name: 'start', gate: 'ten' }],
    bells: { ten: { atSeconds: 30 } },
    criteria: [{ kind: 'responseTime', step: 'start', stage: 'exam', percentile: 80, maxMs: 5_000 }],
    load: users([
      { name: 'waiting room', users: 120, startUpSeconds: 20, seconds: 10 },
      { name: 'exam', users: 120, seconds: 60 },
    ]),
  });

  it('are numbers of people, from a quarter of those of the plan', () => {
    expect([startOf(atBell, {}), formatSearchLevel(atBell, 30), formatSearchLevel(atBell, 1)]).toEqual([30, '30 people', '1 person']);
    const byArrivals = { ...atBell, load: arrivals([{ kind: 'count', arrivals: 80, seconds: 20 }]) } as Plan;
    expect([startOf(byArrivals, {}), formatSearchLevel(byArrivals, 20)]).toEqual([20, '20 people']);
    expect(planOfRecovery(byArrivals, 20, settings)).toBeNull();
  });

  it('keep the stages, the bells and the criteria of the plan, and its time', () => {
    const level = planOfLevel(atBell, 30, settings, []);
    expect(level.load.stages.map((stage) => ('users' in stage ? [stage.name, stage.users, stage.seconds] : []))).toEqual([
      ['waiting room', 30, 10],
      ['exam', 30, 60],
    ]);
    expect([level.bells, level.criteria]).toEqual([atBell.bells, atBell.criteria]);
    expect(secondsOfLevel(atBell, 30, settings, [])).toEqual({ warmUp: 0, counted: 90 });
  });
});

describe('counted time of a level', () => {
  const counted = (plan: Plan, level: number, ...before: Parameters<typeof passedLevel>[1][]): number =>
    secondsOfLevel(
      plan,
      level,
      settings,
      before.map((one) => passedLevel(level, one)),
    ).counted;

  it('is the requested time, or until a hundred requests', () => {
    expect([20, 10, 8, 3, 1].map((level) => counted(open(50), level))).toEqual([10, 10, 13, 34, 60]);
    expect(counted(crowd, 1)).toBe(10);
  });

  it('is six response times of a server that was slow at a passed level', () => {
    expect(counted(crowd, 5, { meanMs: 1_000 })).toBe(10);
    expect(counted(crowd, 5, { meanMs: 3_000 })).toBe(18);
    expect(counted(crowd, 5, { meanMs: 3_000, outcome: 'failed' })).toBe(10);
    expect(counted(crowd, 5, { meanMs: null })).toBe(10);
  });

  it('is the time wanted by an earlier run, at most a minute', () => {
    expect(counted(crowd, 5, { wantedSeconds: 35 })).toBe(35);
    expect(counted(crowd, 5, { wantedSeconds: 350 })).toBe(60);
    expect(secondsOfLevel(crowd, 6, settings, [passedLevel(5, { wantedSeconds: 35 })]).counted).toBe(10);
  });

  it('suffices for the visits of a criterion, at most a minute', () => {
    const seconds = (percentiles: readonly number[], pages = 1, of: 'visits' | 'pages' = 'visits') => {
      const criteria: Criterion[] = percentiles.map((percentile) => ({ kind: 'responseTime', percentile, maxMs: 900, of }));
      const watchPages = Array.from({ length: pages }, (_, page) => ({ name: `page ${page}` }));
      return counted(planWith({ load: users([{ users: 30, seconds: 60 }]), criteria, watchPages }), 5);
    };
    // 5 visits suffice for a median, and 29 for a p90. Each visit takes 2.5 s.
    expect([seconds([50]), seconds([50], 2), seconds([40, 50]), seconds([90])]).toEqual([13, 25, 13, 60]);
    expect(seconds([90], 1, 'pages')).toBe(10);
  });

  it('may be extended to six times its length up to a minute, and to twice its length beyond', () => {
    const longest = (secondsEach: number) => computeMaxSeconds(crowd, 5, { secondsEach, warmUpSeconds: 2 }, []);
    expect([1, 5, 10, 29, 31, 100].map(longest)).toEqual([6, 30, 60, 60, 62, 200]);
  });

  it("stays within 90 % of the plan's limit, warm-up included", () => {
    const timed = { ...crowd, safety: { ...crowd.safety, maxSeconds: 30 } };
    expect(computeMaxSeconds(timed, 5, settings, [])).toBe(25);
    expect(computeMaxSeconds(timed, 5, settings, [passedLevel(1, { meanMs: 4_000 })])).toBe(21);
    const few = { ...open(50, twoSteps), safety: { ...crowd.safety, maxRequests: 1_000 } };
    expect(computeMaxSeconds(few, 20, settings, [])).toBe(20);
    expect(computeMaxSeconds(few, 100, settings, [])).toBe(10);
  });

  it('begins after a warm-up of 1.5 slow response times, or without one', () => {
    const warmUp = (warmUpSeconds: number, meanMs: number) =>
      secondsOfLevel(crowd, 5, { secondsEach: 10, warmUpSeconds }, [passedLevel(2, { meanMs })]).warmUp;
    expect([warmUp(2, 1_000), warmUp(2, 4_000), warmUp(0, 4_000)]).toEqual([2, 6, 0]);
  });
});

it('requestsPerSecond: counts the requests of journeys at a rate, and is 0 for other loads', () => {
  expect([requestsPerSecond(open(50), 7), requestsPerSecond(open(50, twoSteps), 7), requestsPerSecond(crowd, 7)]).toEqual([7, 14, 0]);
});

describe('planOfLevel', () => {
  it('has only the load of that level, after its warm-up', () => {
    const { load } = planOfLevel(open(50), 40, settings, []);
    expect(load.stages).toMatchObject([
      { kind: 'constant', perSecond: 40, seconds: 2, counted: false },
      { kind: 'constant', name: 'level', perSecond: 40, seconds: 10, counted: true },
    ]);
    expect(planOfLevel(closed, 4, settings, []).load.stages).toMatchObject([
      { connections: 4, seconds: 2, counted: false },
      { name: 'level', connections: 4, seconds: 10, counted: true },
    ]);
    expect(planOfLevel(crowd, 4, settings, []).load.stages).toMatchObject([
      { name: 'level', users: 4, startUpSeconds: 2, restSeconds: 0, seconds: 10, counted: true },
    ]);
    const cold = { ...settings, warmUpSeconds: 0 };
    expect([open(50), closed, crowd].map((plan) => planOfLevel(plan, 4, cold, []).load.stages.length)).toEqual([1, 1, 1]);
  });

  it('has no criteria about throughput or stages, and stops above 50 % failures by default', () => {
    const criteria: Criterion[] = [
      { kind: 'throughput', minPerSecond: 5 },
      { kind: 'errors', maxShare: 0.1, stage: 'busy' },
    ];
    const plan = { ...open(50), criteria };
    expect(toLevelPlan(plan).criteria).toEqual([{ kind: 'errors', maxShare: 0.1 }]);
    expect(toLevelPlan(plan).safety).toMatchObject({ stopAtErrorShare: 0.5, errorWindowSeconds: 3 });
    const own = { ...plan, safety: { ...plan.safety, stopAtErrorShare: 0.2, errorWindowSeconds: 9 } };
    expect(toLevelPlan(own).safety).toMatchObject({ stopAtErrorShare: 0.2, errorWindowSeconds: 9 });
  });

  it('is named after its level', () => {
    const words = (model: 'arrivals' | 'users' | 'connections', level: number) =>
      formatSearchLevel({ ...open(50), load: { ...open(50).load, model } } as Plan, level);
    expect([words('arrivals', 12.5), words('users', 1), words('users', 2_000), words('connections', 1), words('connections', 3)]).toEqual([
      '12.5 requests/s',
      '1 user',
      '2,000 users',
      '1 connection',
      '3 connections',
    ]);
  });
});

describe('planOfRecovery', () => {
  it('has half of the limit, 1.5 times the limit, and half of it for three times as long', () => {
    const plan = planOfRecovery(open(50), 33.333, { overloadSeconds: 12, secondsEach: 3 });
    expect(plan?.load.stages).toMatchObject([
      { name: 'calm', perSecond: 16.67, seconds: 5, counted: false },
      { name: 'too much', perSecond: 50, seconds: 12, counted: false },
      { name: 'calm again', perSecond: 16.67, seconds: 36, counted: true },
    ]);
    expect(planOfRecovery(open(50), 33, { overloadSeconds: 12, secondsEach: 8 })?.load.stages[0]).toMatchObject({ seconds: 8 });
    expect(recoveryLevels(33.333)).toEqual({ calm: 16.67, overload: 50 });
  });

  it('returns null for closed loads, and a plan that stops at failures only if the given plan does', () => {
    const how = { overloadSeconds: 12, secondsEach: 3 };
    expect([planOfRecovery(crowd, 30, how), planOfRecovery(closed, 30, how)]).toEqual([null, null]);
    expect(planOfRecovery(open(50), 30, how)?.safety).not.toHaveProperty('stopAtErrorShare');
    const own = { ...open(50), safety: { ...crowd.safety, stopAtErrorShare: 0.2 } };
    expect(planOfRecovery(own, 30, how)?.safety).toMatchObject({ stopAtErrorShare: 0.2 });
    expect(planOfRecovery({ ...open(50), criteria: [{ kind: 'errors', maxShare: 0.1 }] }, 30, how)?.criteria).toEqual([]);
  });
});
