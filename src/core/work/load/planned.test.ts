import { describe, expect, it } from 'vitest';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import {
  countExpectedRequests,
  secondsAtLimits,
  journeysAtLimit,
  correctPlanned,
  countPlannedJourneys,
  findPlannedJourneys,
  countPlannedRequests,
  computePlannedSeconds,
} from './planned.ts';

const journey = [{ name: 'a' }, { name: 'b' }];
const within = (maxMs: number, more: { step?: string; stage?: string } = {}) =>
  ({ kind: 'responseTime', percentile: 95, maxMs, ...more }) as const;
const ramp = { kind: 'ramp', fromPerSecond: 1, toPerSecond: 20, seconds: 60 } as const;
const open = (changes: Partial<PlanInput> = {}): Plan => planWith({ journey, load: arrivals([ramp]), ...changes });

describe('secondsAtLimits', () => {
  it('adds the lowest limits of the steps', () => {
    expect(secondsAtLimits(open({ criteria: [within(500)] }), 0)).toBe(1);
    expect(secondsAtLimits(open({ criteria: [within(500), within(200, { step: 'b' })] }), 0)).toBe(0.7);
    expect(secondsAtLimits(open({ criteria: [within(200, { step: 'b' })] }), 0)).toBe(0.2);
    expect(secondsAtLimits(open({ criteria: [{ kind: 'errors', maxShare: 0.1 }] }), 0)).toBe(0);
  });

  it('weights a step by its mean number of executions', () => {
    const flow: PlanInput['flow'] = ['a', { repeat: { from: 1, to: 3 }, flow: ['b'] }];
    expect(secondsAtLimits(open({ flow, criteria: [within(500)] }), 0)).toBe(1.5);
    const listed: PlanInput['flow'] = [
      'a',
      {
        choose: [
          { flow: ['b'], weight: 1 },
          { flow: [], weight: 3 },
        ],
      },
    ];
    expect(secondsAtLimits(open({ flow: listed, criteria: [within(400)] }), 0)).toBe(0.5);
  });
});

it("journeysAtLimit: multiplies the highest rate by the journey duration with pauses (Little's law)", () => {
  const atLimit = (plan: Plan): number => {
    if (plan.load.model !== 'arrivals') return Number.NaN;
    const [stage] = plan.load.stages;
    return stage === undefined ? Number.NaN : journeysAtLimit(plan, plan.load, stage, 0);
  };
  expect(atLimit(open({ criteria: [within(500)] }))).toBe(20);
  expect(atLimit(open({ criteria: [within(501)] }))).toBe(21);
  const paused = arrivals([ramp], { thinkTime: { kind: 'fixed', seconds: 3 } });
  expect(atLimit(open({ criteria: [within(500)], load: paused }))).toBe(80);
});

it('correctPlanned: accepts one arrival more or less per stage from k6', () => {
  const k6 = { engine: 'k6' } as const;
  expect([98, 99, 100, 101, 102].map((made) => correctPlanned(k6, 100, made, 1))).toEqual([100, 99, 100, 101, 100]);
  expect([97, 98, 103].map((made) => correctPlanned(k6, 100, made, 2))).toEqual([100, 98, 100]);
  expect(correctPlanned({ engine: 'native' }, 100, 99, 1)).toBe(100);
});

describe('planned amounts', () => {
  it('follow from the rate of arrivals', () => {
    const load = arrivals([ramp, { kind: 'pause', seconds: 5 }, { kind: 'count', arrivals: 7, seconds: 3 }]);
    const plan = open({ load });
    expect([0, 1, 2, 3].map((stage) => findPlannedJourneys(plan, stage))).toEqual([630, 0, 7, 0]);
    expect([countPlannedJourneys(plan), countPlannedRequests(plan), countExpectedRequests(plan), computePlannedSeconds(plan)]).toEqual([
      637, 1_274, 1_274, 68,
    ]);
  });

  it('are known only on average if journeys differ', () => {
    const plan = open({
      load: arrivals([{ kind: 'count', arrivals: 11, seconds: 3 }]),
      flow: ['a', { repeat: { from: 0, to: 1 }, flow: ['b'] }],
    });
    expect([countPlannedJourneys(plan), countPlannedRequests(plan), countExpectedRequests(plan)]).toEqual([11, null, 17]);
  });

  it('of users are known only in seconds, including start-up and rest', () => {
    const plan = planWith({ load: users([{ users: 5, restSeconds: 2, startUpSeconds: 3, seconds: 10 }]) });
    expect([countPlannedJourneys(plan), countPlannedRequests(plan), countExpectedRequests(plan), computePlannedSeconds(plan)]).toEqual([
      null,
      null,
      null,
      15,
    ]);
    expect(findPlannedJourneys(plan, 0)).toBe(null);
  });

  it('convert requests that end a stage to whole journeys', () => {
    const plan = planWith({ journey, load: stages({ connections: 2, requests: 9 }) });
    expect([findPlannedJourneys(plan, 0), findPlannedJourneys(plan, 1), countPlannedRequests(plan), countExpectedRequests(plan)]).toEqual([
      5,
      null,
      9,
      9,
    ]);
  });
});
