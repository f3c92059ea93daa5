import { describe, expect, it } from 'vitest';
import { loadSchema } from '#core/plan/schema/load.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { planWith } from '#core/testing/plans.ts';
import { listLimits, plannedRateAtSecond, listPlannedRates, listPlannedStages, waitingLimits } from './limits.ts';

const plan = (stages: object[], criteria: object[] = []) =>
  planSchema.parse({
    holdfast: 1,
    name: 'Contest',
    targets: [{ url: 'http://127.0.0.1:8888/' }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages },
    criteria,
  });

describe('listLimits', () => {
  it('returns each limit once, for any number of steps', () => {
    const time = { kind: 'responseTime', percentile: 95, maxMs: 1_000 };
    const limits = listLimits(
      plan([{ connections: 1, seconds: 1 }], [time, { ...time, step: 'page' }, { kind: 'throughput', minPerSecond: 200 }]),
    );
    expect(limits).toEqual({ latency: [{ value: 1_000, label: 'limit 1 s' }], throughput: [{ value: 200, label: '≥ 200/s' }] });
  });
});

describe('listPlannedStages', () => {
  it('separates the uncounted start-up of users', () => {
    const load = loadSchema.parse({
      model: 'users',
      stages: [{ name: 'cycle', users: 5, restSeconds: 2, startUpSeconds: 8, seconds: 60 }],
    });
    expect(listPlannedStages({ ...plan([{ connections: 1, seconds: 1 }]), load })).toEqual([
      { name: 'start-up', from: 0, to: 10, counted: false },
      { name: 'cycle', from: 10, to: 70, counted: true },
    ]);
  });

  it('ends where the plan does not define times', () => {
    const stages = [
      { connections: 1, seconds: 30, name: 'warm-up', counted: false },
      { connections: 2, seconds: 60 },
      { connections: 3, requests: 5 },
    ];
    expect(listPlannedStages(plan(stages))).toEqual([
      { name: 'warm-up', from: 0, to: 30, counted: false },
      { name: 'stage 2', from: 30, to: 90, counted: true },
    ]);
  });
});

const arrivals = planWith({
  journey: [{ name: 'a' }, { name: 'b', path: 'b' }],
  load: {
    model: 'arrivals',
    stages: [
      { kind: 'constant', perSecond: 10, seconds: 2 },
      { kind: 'ramp', fromPerSecond: 0, toPerSecond: 8, seconds: 4 },
    ],
  },
});

describe('listPlannedRates', () => {
  it('returns the planned requests within each span', () => {
    const spans = [
      { second: 0, width: 1 },
      { second: 1, width: 2 },
      { second: 5, width: 1 },
      { second: 6, width: 1 },
    ];
    expect(listPlannedRates(arrivals, spans)).toEqual([20, 11, 14, 0]);
  });

  it('returns null if responses determine the rate', () => {
    expect(listPlannedRates(planWith(), [{ second: 0, width: 1 }])).toBeNull();
    expect(plannedRateAtSecond(planWith(), 0)).toBeNull();
  });
});

describe('plannedRateAtSecond', () => {
  it('returns the rate of the curve', () => {
    expect([0, 4, 6].map((second) => plannedRateAtSecond(arrivals, second))).toEqual([10, 4, 0]);
  });
});

describe('waitingLimits', () => {
  it('shows the maximum in flight only if it was nearly reached', () => {
    const { load } = arrivals;
    const most = load.model === 'arrivals' ? load.maxInFlight : 0;
    const at = (...inFlight: number[]) =>
      waitingLimits(
        arrivals,
        inFlight.map((count) => ({ inFlight: count })),
      );
    expect(at(most / 20, most / 10)).toMatchObject([{ value: most }]);
    expect(at(most / 20, 1)).toEqual([]);
  });
});
