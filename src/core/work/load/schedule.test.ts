import { describe, expect, it } from 'vitest';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { ArrivalSchedule, MAX_POISSON_ARRIVALS, planSchedule } from './arrivals.ts';
import { buildLoadProfile } from './profile.ts';
import { sizeOf } from './stages.ts';

const stage = { kind: 'constant', perSecond: 20, seconds: 50 } as const;
const buildPlan = (spacing: 'uniform' | 'poisson', list: Parameters<typeof arrivals>[0] = [stage, stage]) =>
  planWith({ load: arrivals(list, { spacing }), seed: 7 });

describe('planSchedule', () => {
  it('follows the arrivals, their spacing and the seed', () => {
    expect(planSchedule(buildPlan('uniform'))).toMatchObject({ spacing: { kind: 'uniform' }, perStage: [1_000, 1_000] });
    const poisson = planSchedule(buildPlan('poisson'));
    expect(poisson?.spacing).toEqual({ kind: 'poisson', seed: 7 });
    const perStage = poisson?.perStage ?? [];
    // A Poisson schedule rarely has exactly the expected 1,000 arrivals (√1,000 = 32).
    expect(perStage).not.toEqual([1_000, 1_000]);
    for (const count of perStage) expect(Math.abs(count - 1_000)).toBeLessThan(160);
    if (poisson === null) throw new Error('no schedule');
    const walked = new ArrivalSchedule(poisson.curve, poisson.spacing);
    let arrived = 0;
    for (; Number.isFinite(walked.nextSecond); walked.advance()) arrived += 1;
    expect(perStage.reduce((sum, count) => sum + count, 0)).toBe(arrived);
  });

  it('is calculated once per plan, and is null for closed models', () => {
    const plan = buildPlan('poisson');
    expect(planSchedule(plan)).toBe(planSchedule(plan));
    expect(planSchedule(planWith())).toBeNull();
  });

  it('returns expected numbers if counting would take too long', () => {
    const most = MAX_POISSON_ARRIVALS / 1_000;
    const long = planSchedule(buildPlan('poisson', [{ kind: 'constant', perSecond: 1_000, seconds: most + 1 }]));
    expect(long).toMatchObject({ spacing: { kind: 'poisson' }, perStage: [MAX_POISSON_ARRIVALS + 1_000] });
  });
});

describe('buildLoadProfile', () => {
  const shape = (list: Parameters<typeof arrivals>[0]) =>
    buildLoadProfile(buildPlan('uniform', list)).map(({ stage: name, level, toLevel, unit }) => [name, level, toLevel, unit]);

  it('returns each step of a staircase of 100 steps, and one line for a longer one', () => {
    const stairs = (steps: number) => shape([{ kind: 'steps', fromPerSecond: 0, toPerSecond: 10, steps, secondsEach: 1 }]).length;
    expect([stairs(100), stairs(101)]).toEqual([100, 1]);
  });

  it('returns the names and the unit of the stages', () => {
    expect(
      shape([
        { ...stage, name: 'busy' },
        { kind: 'pause', seconds: 3 },
      ]),
    ).toEqual([
      ['busy', 20, 20, 'arrivalsPerSecond'],
      ['stage 2', 0, 0, 'arrivalsPerSecond'],
    ]);
    const users = planWith({ load: { model: 'users', stages: [{ users: 5, startUpSeconds: 2, startUpCounts: true, seconds: 9 }] } });
    expect(buildLoadProfile(users).map(({ counted, fromSecond }) => [counted, fromSecond])).toEqual([
      [true, 0],
      [true, 2],
    ]);
    const uncounted = planWith({
      load: { model: 'users', stages: [{ users: 5, startUpSeconds: 2, startUpCounts: true, seconds: 9, counted: false }] },
    });
    expect(buildLoadProfile(uncounted).map(({ counted }) => counted)).toEqual([false, false]);
  });
});

it('sizeOf: leaves out a stage without arrivals, which only waits for users', () => {
  const load = {
    model: 'arrivals' as const,
    stages: [
      { kind: 'count' as const, arrivals: 600, seconds: 6 },
      { kind: 'constant' as const, perSecond: 0, seconds: 44 },
    ],
  };
  expect(sizeOf(planWith({ load }).load)).toMatchObject({ unit: 'arrivalsPerSecond', highest: 100, seconds: 6 });
});

it('sizeOf: adds all counted requests, and returns none if a stage has no end', () => {
  const closed = (...list: { connections: number; requests?: number; seconds?: number }[]) =>
    sizeOf(planWith({ load: { model: 'connections', stages: list } }).load);
  expect(closed({ connections: 2, requests: 30 }, { connections: 4, requests: 12 })).toEqual({
    unit: 'connections',
    highest: 4,
    seconds: null,
    requests: 42,
  });
  expect(closed({ connections: 2, requests: 30 }, { connections: 4, seconds: 12 })).toMatchObject({ seconds: null, requests: null });
});
