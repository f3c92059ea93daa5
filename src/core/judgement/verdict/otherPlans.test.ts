import { describe, expect, it } from 'vitest';
import { MAX_ARRIVALS_PER_SECOND, MAX_CONNECTIONS, MAX_REQUESTS, MAX_STAGE_SECONDS, MAX_USERS } from '#core/plan/schema/load.ts';
import type { Criterion, Plan, PlanInput } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { setLimits, scaleLoad, lengthenPlan, setThreads, removeVisits, raiseMaxInFlight } from './otherPlans.ts';

const of = (load: PlanInput['load'], changes: Partial<PlanInput> = {}): Plan => planWith({ load, ...changes });
const twoSteps = { journey: [{ name: 'a' }, { name: 'b' }] };
const stagesOf = (plan: Plan | null): Plan['load']['stages'] | undefined => plan?.load.stages;
const every = [
  { kind: 'constant', perSecond: 10, seconds: 20 },
  { kind: 'ramp', fromPerSecond: 2, toPerSecond: 8, seconds: 20 },
  { kind: 'count', arrivals: 30, seconds: 20 },
  { kind: 'pause', seconds: 5 },
  { kind: 'steps', fromPerSecond: 1, toPerSecond: 4, steps: 4, secondsEach: 6 },
  { kind: 'spike', basePerSecond: 3, peakPerSecond: 12, secondsBefore: 7, rampSeconds: 2, peakSeconds: 9, secondsAfter: 8 },
] as const;

describe('scaleLoad', () => {
  it('multiplies connections, users or arrivals in each stage and keeps its length', () => {
    expect(stagesOf(scaleLoad(of(stages({ connections: 10, seconds: 60 }, { connections: 3, seconds: 5 })), 2))).toMatchObject([
      { connections: 20, seconds: 60 },
      { connections: 6, seconds: 5 },
    ]);
    expect(stagesOf(scaleLoad(of(users([{ users: 15, seconds: 60 }])), 0.5))).toMatchObject([{ users: 8, seconds: 60 }]);
    expect(stagesOf(scaleLoad(of(arrivals([...every])), 2))).toMatchObject([
      { perSecond: 20, seconds: 20 },
      { fromPerSecond: 4, toPerSecond: 16, seconds: 20 },
      { arrivals: 60, seconds: 20 },
      { kind: 'pause', seconds: 5 },
      { fromPerSecond: 2, toPerSecond: 8, secondsEach: 6 },
      { basePerSecond: 6, peakPerSecond: 24, secondsBefore: 7, rampSeconds: 2, peakSeconds: 9, secondsAfter: 8 },
    ]);
  });

  it('keeps whole journeys, at least one for each connection', () => {
    const requestsWith = (requests: number, factor: number) =>
      stagesOf(scaleLoad(of(stages({ connections: 5, requests }), twoSteps), factor));
    expect(requestsWith(16, 3)).toMatchObject([{ connections: 15, requests: 16 }]);
    expect(requestsWith(10, 2)).toMatchObject([{ connections: 10, requests: 10 }]);
    expect(requestsWith(10, 3)).toMatchObject([{ connections: 15, requests: 16 }]);
  });

  it('returns null if the load would not change, at 1 or at the maximum', () => {
    expect(scaleLoad(of(stages({ connections: 1, seconds: 60 })), 0.5)).toBe(null);
    expect(scaleLoad(of(users([{ users: MAX_USERS, seconds: 60 }])), 2)).toBe(null);
    const most = arrivals([{ kind: 'constant', perSecond: MAX_ARRIVALS_PER_SECOND, seconds: 1 }]);
    expect(scaleLoad(of(most), 2)).toBe(null);
    const nearly = of(stages({ connections: MAX_CONNECTIONS - 1, seconds: 60 }));
    expect(stagesOf(scaleLoad(nearly, 2))).toMatchObject([{ connections: MAX_CONNECTIONS }]);
    expect(stagesOf(scaleLoad(of(arrivals([{ kind: 'constant', perSecond: 0.5, seconds: 60 }])), 2))).toMatchObject([{ perSecond: 1 }]);
  });
});

describe('lengthenPlan', () => {
  it('extends counted stages at the same load', () => {
    const two = stages({ connections: 10, seconds: 60, counted: false }, { connections: 3, seconds: 5 }, { connections: 3, requests: 50 });
    expect(stagesOf(lengthenPlan(of(two), 4))).toMatchObject([
      { seconds: 60 },
      { connections: 3, seconds: 20 },
      { connections: 3, requests: 200 },
    ]);
    expect(stagesOf(lengthenPlan(of(users([{ users: 9, startUpSeconds: 5, seconds: 60 }])), 3))).toMatchObject([
      { users: 9, startUpSeconds: 5, seconds: 180 },
    ]);
    expect(stagesOf(lengthenPlan(of(arrivals([...every])), 2))).toMatchObject([
      { perSecond: 10, seconds: 40 },
      { fromPerSecond: 2, toPerSecond: 8, seconds: 40 },
      { arrivals: 60, seconds: 40 },
      { kind: 'pause', seconds: 5 },
      { fromPerSecond: 1, toPerSecond: 4, secondsEach: 12 },
      { basePerSecond: 3, peakPerSecond: 12, secondsBefore: 14, rampSeconds: 4, peakSeconds: 18, secondsAfter: 16 },
    ]);
  });

  it('stops at the maximum length of a plan', () => {
    const day = 24 * 3_600;
    expect(stagesOf(lengthenPlan(of(stages({ connections: 3, seconds: 6 * day })), 2))).toMatchObject([{ seconds: MAX_STAGE_SECONDS }]);
    // 10⁹ requests make a whole number of journeys of two steps, but not of three steps.
    const many = stages({ connections: 3, requests: MAX_REQUESTS - 400 });
    expect(stagesOf(lengthenPlan(of(many, { journey: [...twoSteps.journey, { name: 'c' }] }), 2))).toMatchObject([
      { requests: MAX_REQUESTS - 1 },
    ]);
  });
});

it('scaleLoad and lengthenPlan: return null for an invalid plan, but accept a plan with a warning', () => {
  const poisson = arrivals([{ kind: 'constant', perSecond: 100, seconds: 70_000 }], { spacing: 'poisson' });
  // A plan may have at most ten million arrivals at random times.
  expect([scaleLoad(of(poisson), 2), lengthenPlan(of(poisson), 2)]).toEqual([null, null]);
  const warned = of(stages({ connections: 10, seconds: 60 }), { criteria: [{ kind: 'errors', maxShare: 0.000_1 }] });
  expect(stagesOf(lengthenPlan(warned, 2))).toMatchObject([{ seconds: 120 }]);
});

describe('raiseMaxInFlight', () => {
  const raiseCapTo = (maxInFlight: number, ...own: (number | undefined)[]): Plan =>
    of(
      arrivals(
        own.map((cap) => ({ kind: 'constant' as const, perSecond: 5, seconds: 60, ...(cap === undefined ? {} : { maxInFlight: cap }) })),
        { maxInFlight },
      ),
    );

  it('raises the cap of the load and of stages with a cap of their own', () => {
    const { load } = raiseMaxInFlight(raiseCapTo(10, undefined, 4, 90), 40) ?? raiseCapTo(0);
    expect(load).toMatchObject({ maxInFlight: 40, stages: [{}, { maxInFlight: 40 }, { maxInFlight: 90 }] });
    expect(load.stages[0]).not.toHaveProperty('maxInFlight', 40);
  });

  it('returns null if all stages have that cap, for a closed model, and beyond the maximum', () => {
    expect(raiseMaxInFlight(raiseCapTo(40, undefined), 40)).toBe(null);
    expect(raiseMaxInFlight(raiseCapTo(39, undefined), 40)?.load).toMatchObject({ maxInFlight: 40 });
    expect(raiseMaxInFlight(raiseCapTo(10, 40), 40)).toBe(null);
    expect(raiseMaxInFlight(of(users([{ users: 3, seconds: 9 }])), 40)).toBe(null);
    expect(raiseMaxInFlight(raiseCapTo(10, undefined), 3 * MAX_USERS)?.load).toMatchObject({ maxInFlight: MAX_USERS });
    expect(raiseMaxInFlight(raiseCapTo(MAX_USERS, undefined), 3 * MAX_USERS)).toBe(null);
  });
});

describe('changes to a plan:', () => {
  it('setLimits keeps the counted stages, or counts all stages except pauses if none is counted', () => {
    const some = setLimits(of(stages({ connections: 1, seconds: 5, counted: false }, { connections: 2, seconds: 5 })));
    expect(some.load.stages.map(({ counted }) => counted)).toEqual([false, true]);
    const none = setLimits(
      of(
        arrivals([
          { kind: 'constant', perSecond: 5, seconds: 9, counted: false },
          { kind: 'pause', seconds: 3 },
        ]),
      ),
    );
    expect(none.load.stages.map(({ counted }) => counted)).toEqual([true, false]);
    expect(none.criteria).toEqual([
      { kind: 'responseTime', percentile: 95, maxMs: 1_000 },
      { kind: 'errors', maxShare: 0.01 },
    ]);
    expect(some.criteria).toEqual(none.criteria);
  });

  it('removeVisits removes watched pages and criteria about visits', () => {
    const errors: Criterion = { kind: 'errors', maxShare: 0.01 };
    const watching = planWith({
      watchPages: [{}],
      criteria: [{ kind: 'responseTime', of: 'visits', percentile: 75, maxMs: 2_500 }, errors],
    });
    const plan = removeVisits(watching);
    expect('watchPages' in plan).toBe(false);
    expect(plan.criteria).toEqual([errors]);
  });
});

it('setThreads: sets the number of threads, at most 64', () => {
  expect([2, 64, 65].map((threads) => setThreads(planWith(), threads).threads)).toEqual([2, 64, 64]);
});
