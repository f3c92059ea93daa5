import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { buildLoadProfile } from './profile.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';

const shape = (load: PlanInput['load']) =>
  buildLoadProfile(planWith({ load })).map(({ fromSecond, toSecond, level, toLevel, counted }) =>
    [fromSecond, toSecond, level, toLevel, counted ? 'counted' : 'not'].join(' '),
  );

describe('buildLoadProfile', () => {
  it('shows rest, start-up and full load of users', () => {
    expect(shape({ model: 'users', stages: [{ users: 50, restSeconds: 5, startUpSeconds: 10, seconds: 60 }] })).toEqual([
      '0 5 0 0 not',
      '5 15 0 50 not',
      '15 75 50 50 counted',
    ]);
  });

  it('shows every step and every ramp', () => {
    const stages = [
      { kind: 'steps' as const, fromPerSecond: 10, toPerSecond: 30, steps: 3, secondsEach: 20, counted: false },
      { kind: 'spike' as const, basePerSecond: 5, peakPerSecond: 50, secondsBefore: 10, rampSeconds: 2, peakSeconds: 4, secondsAfter: 10 },
    ];
    expect(shape({ model: 'arrivals', stages })).toEqual([
      '0 20 10 10 not',
      '20 40 20 20 not',
      '40 60 30 30 not',
      '60 70 5 5 counted',
      '70 72 5 50 counted',
      '72 76 50 50 counted',
      '76 78 50 5 counted',
      '78 88 5 5 counted',
    ]);
  });

  it('draws a staircase with many steps as a ramp', () => {
    const steps = { kind: 'steps' as const, fromPerSecond: 0, toPerSecond: 1_000, steps: 1_000, secondsEach: 1 };
    expect(shape({ model: 'arrivals', stages: [steps] })).toEqual(['0 1000 0 1000 counted']);
  });

  it('returns no end for stages that end after a number of requests', () => {
    expect(
      shape({
        model: 'connections',
        stages: [
          { connections: 3, requests: 30 },
          { connections: 4, seconds: 5 },
        ],
      }),
    ).toEqual(['0  3 3 counted', '0 5 4 4 counted']);
  });
});
