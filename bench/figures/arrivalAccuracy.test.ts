import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivalAccuracy } from './arrivalAccuracy.ts';

const evenArrivals = (count: number, perSecond: number, startMs = 0): Float64Array =>
  Float64Array.from({ length: count }, (_, index) => startMs + (index * 1_000) / perSecond);

describe('arrivalAccuracy', () => {
  it('finds no deviation in an even schedule, whatever its start and rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 5_000 }), fc.double({ min: 0, max: 1e9, noNaN: true }), (perSecond, startMs) => {
        const accuracy = arrivalAccuracy(evenArrivals(perSecond, perSecond, startMs), perSecond, 1);
        expect(accuracy?.offeredShare).toBe(1);
        expect(accuracy?.gapVariation).toBeCloseTo(0, 4);
        expect(accuracy?.deviationP99Ms).toBeCloseTo(0, 4);
        expect(Math.abs((accuracy?.burst ?? 0) - perSecond / 100)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('finds the deviation of stragglers, but none of the other arrivals', () => {
    const arrived = evenArrivals(1_000, 1_000);
    for (let index = 0; index < 1_000; index += 10) arrived[index] = (arrived[index] ?? 0) + 0.4;
    expect(arrivalAccuracy(arrived, 1_000, 1)).toMatchObject({ deviationP50Ms: 0, deviationP99Ms: expect.closeTo(0.4, 6) });
  });

  it('measures bursts: a hundred arrivals every tenth of a second', () => {
    const arrived = Float64Array.from({ length: 1_000 }, (_, index) => Math.floor(index / 100) * 100);
    const accuracy = arrivalAccuracy(arrived, 1_000, 1);
    expect(accuracy).toMatchObject({ offeredShare: 1, burst: 100 });
    expect(accuracy?.gapVariation).toBeGreaterThan(9);
    expect(accuracy?.deviationP99Ms).toBeGreaterThan(45);
  });

  it('returns a gap variation of about 1 for random arrivals', () => {
    let [state, instant] = [12_345, 0];
    const arrived = Float64Array.from({ length: 20_000 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return (instant -= Math.log(state / 2_147_483_647));
    });
    expect(arrivalAccuracy(arrived, 1_000, 20)?.gapVariation).toBeCloseTo(1, 1);
  });

  it('reports the share of arrivals that were sent, and nothing for very few arrivals', () => {
    expect(arrivalAccuracy(evenArrivals(500, 500), 1_000, 1)?.offeredShare).toBe(0.5);
    expect(arrivalAccuracy(evenArrivals(2, 1_000), 1_000, 1)).toBeNull();
  });
});
