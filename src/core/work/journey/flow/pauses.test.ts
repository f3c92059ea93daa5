import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import { pauseSeconds } from './pauses.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';

const COUNT = 20_000;

function many(thinkTime: ThinkTime, seed = 7): number[] {
  return Array.from({ length: COUNT }, (_, index) => pauseSeconds(thinkTime, seed, index)).toSorted((one, other) => one - other);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('pauses', () => {
  it('that are fixed are all the same', () => {
    expect(new Set(many({ kind: 'fixed', seconds: 2.5 }))).toEqual(new Set([2.5]));
  });

  // Bounds of five standard errors, for a fixed seed.
  it('that are uniform fill their range evenly', () => {
    const values = many({ kind: 'uniform', fromSeconds: 1, toSeconds: 3 });
    expect(values[0]).toBeGreaterThanOrEqual(1);
    expect(values.at(-1)).toBeLessThanOrEqual(3);
    expect(Math.abs(mean(values) - 2)).toBeLessThan((5 * (2 / Math.sqrt(12))) / Math.sqrt(COUNT));
    for (const part of [0.1, 0.5, 0.9]) expect(Math.abs((values[COUNT * part] ?? 0) - (1 + 2 * part))).toBeLessThan(0.04);
  });

  it('that are exponential have their mean and their median', () => {
    const values = many({ kind: 'exponential', meanSeconds: 4 });
    expect(Math.abs(mean(values) - 4)).toBeLessThan((5 * 4) / Math.sqrt(COUNT));
    expect(Math.abs((values[COUNT / 2] ?? 0) - 4 * Math.LN2)).toBeLessThan((5 * 4) / Math.sqrt(COUNT));
  });

  it('follow from seed and number alone, and differ from the gaps of arrivals with the same seed', () => {
    const thinkTime: ThinkTime = { kind: 'uniform', fromSeconds: 0, toSeconds: 1 };
    fc.assert(
      fc.property(fc.nat({ max: 4_294_967_295 }), fc.nat({ max: 2 ** 40 }), (seed, index) => {
        const seconds = pauseSeconds(thinkTime, seed, index);
        expect(pauseSeconds(thinkTime, seed, index)).toBe(seconds);
        expect(seconds).not.toBe(uniformAt(seed, index));
        expect(seconds).toBeGreaterThan(0);
        expect(seconds).toBeLessThan(1);
      }),
    );
  });
});
