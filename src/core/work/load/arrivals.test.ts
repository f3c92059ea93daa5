import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivalsByStage, ArrivalSchedule, type Spacing, countUniformArrivals } from './arrivals.ts';
import { amountBefore, type RateCurve, rateCurve } from './rateCurve.ts';
import { rateStages } from './testing/rateStages.ts';

const UNIFORM: Spacing = { kind: 'uniform' };
const spacing: fc.Arbitrary<Spacing> = fc.oneof(
  fc.constant(UNIFORM),
  fc.record({ kind: fc.constant('poisson' as const), seed: fc.nat(4_294_967_295) }),
);

interface DueArrival {
  readonly index: number;
  readonly second: number;
  readonly stage: number;
}

function all(curve: RateCurve, how: Spacing, thread = { index: 0, count: 1 }): DueArrival[] {
  const schedule = new ArrivalSchedule(curve, how, thread);
  const due: DueArrival[] = [];
  while (Number.isFinite(schedule.nextSecond)) {
    due.push({ index: schedule.nextIndex, second: schedule.nextSecond, stage: schedule.nextStage });
    schedule.advance();
  }
  return due;
}

describe('ArrivalSchedule', () => {
  it('spreads arrivals evenly at a constant rate', () => {
    const curve = rateCurve([{ kind: 'constant', perSecond: 4, seconds: 2 }]);
    expect(all(curve, UNIFORM).map((due) => due.second)).toEqual([0.125, 0.375, 0.625, 0.875, 1.125, 1.375, 1.625, 1.875]);
  });

  it('has no arrivals in a pause', () => {
    const curve = rateCurve([
      { kind: 'constant', perSecond: 10, seconds: 1 },
      { kind: 'pause', seconds: 5 },
      { kind: 'constant', perSecond: 10, seconds: 1 },
    ]);
    const seconds = all(curve, UNIFORM).map((due) => due.second);
    expect(seconds).toHaveLength(20);
    expect(seconds.filter((second) => second > 1 && second < 6)).toEqual([]);
  });

  it('gives k threads together the arrivals of one thread', () => {
    fc.assert(
      fc.property(rateStages, spacing, fc.integer({ min: 1, max: 9 }), (stages, how, count) => {
        const curve = rateCurve(stages);
        const parts = Array.from({ length: count }, (_, index) => all(curve, how, { index, count }));
        const merged = parts.flat().sort((a, b) => a.index - b.index);
        expect(merged).toEqual(all(curve, how));
      }),
      { numRuns: 60 },
    );
  });

  it('returns arrivals in order, numbered without gaps, within the curve', () => {
    fc.assert(
      fc.property(rateStages, spacing, (stages, how) => {
        const curve = rateCurve(stages);
        const due = all(curve, how);
        expect(due.map(({ index }) => index)).toEqual([...due.keys()]);
        for (let index = 1; index < due.length; index += 1) {
          expect(due[index]?.second ?? 0).toBeGreaterThanOrEqual(due[index - 1]?.second ?? 0);
        }
        expect(due.at(-1)?.second ?? 0).toBeLessThanOrEqual(curve.seconds);
      }),
      { numRuns: 60 },
    );
  });

  it('uniform: schedules arrivals where the integral reaches the middle of their unit', () => {
    fc.assert(
      fc.property(rateStages, (stages) => {
        const curve = rateCurve(stages);
        for (const { index, second } of all(curve, UNIFORM)) {
          expect(amountBefore(curve, second)).toBeCloseTo(Math.min(index + 0.5, curve.amount), 6);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has as many arrivals per stage as arrivalsByStage returns', () => {
    fc.assert(
      fc.property(rateStages, spacing, (stages, how) => {
        const curve = rateCurve(stages);
        const due = all(curve, how);
        const byStage = stages.map((_, stage) => due.filter((one) => one.stage === stage).length);
        expect(arrivalsByStage(curve, how, stages.length)).toEqual(byStage);
        if (how.kind === 'uniform') expect(due).toHaveLength(countUniformArrivals(curve));
      }),
      { numRuns: 60 },
    );
  });

  it('poisson: the counts in equal intervals have the mean and variance of a Poisson process', () => {
    const curve = rateCurve([{ kind: 'constant', perSecond: 20, seconds: 5_000 }]);
    const counts = new Map<number, number>();
    for (const { second } of all(curve, { kind: 'poisson', seed: 7 })) {
      counts.set(Math.floor(second), (counts.get(Math.floor(second)) ?? 0) + 1);
    }
    const perSecond = Array.from({ length: 5_000 }, (_, second) => counts.get(second) ?? 0);
    const mean = perSecond.reduce((sum, count) => sum + count, 0) / perSecond.length;
    const variance = perSecond.reduce((sum, count) => sum + (count - mean) ** 2, 0) / perSecond.length;
    // The limits are five standard errors: √(20/5000) = 0.063 for the mean, and 20·√(2/5000) = 0.4 for the variance.
    expect(Math.abs(mean - 20)).toBeLessThan(0.32);
    expect(Math.abs(variance - 20)).toBeLessThan(2.1);
  });

  it('poisson: depends on the seed', () => {
    const curve = rateCurve([{ kind: 'constant', perSecond: 10, seconds: 10 }]);
    expect(all(curve, { kind: 'poisson', seed: 1 })).not.toEqual(all(curve, { kind: 'poisson', seed: 2 }));
    expect(all(curve, { kind: 'poisson', seed: 1 })).toEqual(all(curve, { kind: 'poisson', seed: 1 }));
  });
});
