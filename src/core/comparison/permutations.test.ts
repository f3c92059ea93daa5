import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankSumProbability } from '#core/series/noise.ts';
import { familyProbabilities, listPermutations, buildPermutations, shiftInterval } from './differences.ts';

const real = (first: number, second: number): Uint8Array => Uint8Array.from({ length: first + second }, (_, run) => (run < first ? 0 : 1));
const alone = (values: readonly number[], first: number): number => {
  return familyProbabilities([values], buildPermutations(first, values.length - first))[0] ?? Number.NaN;
};
const value = fc.integer({ min: -50, max: 50 });

describe('permutations', () => {
  it('are all ways to choose the second side, once each', () => {
    const ways = listPermutations(5, 5);
    expect(ways).toHaveLength(252);
    expect(new Set(ways.map((way) => way.join(''))).size).toBe(252);
    expect(ways.every((way) => way.reduce((sum, side) => sum + side, 0) === 5)).toBe(true);
    expect(listPermutations(2, 4)).toHaveLength(15);
    // 18,564 ways are all enumerated; of 24,310 ways, a sample is taken.
    expect([listPermutations(12, 6), listPermutations(9, 8)].map(({ length }) => length)).toEqual([18_564, 10_000]);
  });

  it('are a deterministic sample that begins with the real assignment if there are too many', () => {
    const ways = listPermutations(20, 20);
    expect(ways).toHaveLength(10_000);
    expect(ways[0]).toEqual(real(20, 20));
    expect(ways.every((way) => way.reduce((sum, side) => sum + side, 0) === 20)).toBe(true);
    expect(listPermutations(20, 20)[5_000]).toEqual(ways[5_000]);
    expect(new Set(ways.map((way) => way.join(''))).size).toBeGreaterThan(9_990);
    const timesOfFirstRun = ways.filter((way) => way[0] === 1).length;
    expect(timesOfFirstRun).toBeGreaterThan(4_800);
    expect(timesOfFirstRun).toBeLessThan(5_200);
  });
});

describe('familyProbabilities', () => {
  it('equals the probability of the rank sums for ranks without overlap', () => {
    expect(alone([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 5)).toBeCloseTo(2 / 252, 12);
    expect(rankSumProbability([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])).toBeCloseTo(2 / 252, 12);
  });

  it('is 1 for equal values, and works without noise', () => {
    expect(alone([7, 7, 7, 7, 7, 7, 7, 7, 7, 7], 5)).toBe(1);
    expect(alone([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], 5)).toBeCloseTo(2 / 252, 12);
  });

  it('equals the permutation of mean differences for a single figure', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 6, maxLength: 6 }), (values) => {
        const difference = (way: Uint8Array): number => Math.abs(values.reduce((sum, one, run) => sum + (way[run] === 1 ? one : -one), 0));
        const observed = difference(real(3, 3));
        const expected = listPermutations(3, 3).filter((way) => difference(way) >= observed - 1e-9).length / 20;
        expect(alone(values, 3)).toBeCloseTo(expected, 12);
      }),
    );
  });

  it('is the share of assignments whose largest |t| of several figures is as large (textbook t for each assignment)', () => {
    const t = (values: readonly number[], way: Uint8Array): number => {
      const sides = [0, 1].map((side) => values.filter((_, run) => way[run] === side));
      const [from, to] = sides.map((side) => side.reduce((sum, one) => sum + one, 0) / side.length);
      const squares = sides.flatMap((side, index) => side.map((one) => (one - ((index === 0 ? from : to) ?? 0)) ** 2));
      const variance = squares.reduce((sum, one) => sum + one, 0) / (values.length - 2);
      return Math.abs((to ?? 0) - (from ?? 0)) / Math.sqrt(variance * sides.reduce((sum, side) => sum + 1 / side.length, 0));
    };
    const figures = [
      [1, 2, 4, 3, 8, 9, 7],
      [10, 30, 20, 50, 40, 80, 90],
      [5, 3, 9, 1, 4, 8, 2],
    ];
    const ways = listPermutations(3, 4);
    const largest = ways.map((way) => Math.max(...figures.map((values) => t(values, way))));
    const expected = figures.map((values) => {
      const own = t(values, real(3, 4));
      return largest.filter((one) => one >= own * (1 - 1e-9)).length / ways.length;
    });
    const found = familyProbabilities(figures, buildPermutations(3, 4));
    for (const [index, one] of expected.entries()) expect(found[index]).toBeCloseTo(one, 12);
    const scaled = figures.map((values, index) => values.map((one) => one * 1_000 ** index + 7));
    expect(familyProbabilities(scaled, buildPermutations(3, 4))).toEqual(found);
  });

  it('is never smaller for a figure in a family than alone', () => {
    fc.assert(
      fc.property(fc.array(fc.array(value, { minLength: 8, maxLength: 8 }), { minLength: 1, maxLength: 4 }), (figures) => {
        const together = familyProbabilities(figures, buildPermutations(4, 4));
        for (const [index, values] of figures.entries()) expect(together[index]).toBeGreaterThanOrEqual(alone(values, 4) - 1e-12);
      }),
    );
  });
});

describe('shiftInterval', () => {
  const level = 0.01;
  const findInterval = (values: readonly number[], first = 5, at = level) =>
    shiftInterval(values, buildPermutations(first, 10 - first), at);

  // Two of 252 ways are within 1 %, and three of 210 within 1.5 %.
  it.each([
    [5, 0.01],
    [5, 0.015],
    [4, 0.01],
    [6, 0.015],
  ])('contains exactly the shifts that the test does not exclude, with %i first runs at %d', (first, at) => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 10, maxLength: 10 }), fc.double({ min: -120, max: 120, noNaN: true }), (values, shift) => {
        const { from, to } = findInterval(values, first, at);
        fc.pre(Math.abs(shift - from) > 1e-6 && Math.abs(shift - to) > 1e-6);
        const shifted = values.map((one, run) => (run < first ? one : one - shift));
        expect(alone(shifted, first) > at).toBe(shift > from && shift < to);
      }),
    );
  });

  it('excludes 0 exactly if a difference is claimed, and shifts with the second side, for any numbers of runs', () => {
    const apart = [1, 2, 3, 4, 5, 11, 12, 13, 14, 15];
    const { from, to } = findInterval(apart);
    expect(from).toBeGreaterThan(0);
    expect((from + to) / 2).toBeCloseTo(10, 9);
    for (const first of [4, 5, 6]) {
      const before = findInterval(apart, first);
      const moved = findInterval(
        apart.map((one, run) => (run < first ? one : one + 3)),
        first,
      );
      expect([moved.from - before.from, moved.to - before.to]).toEqual([expect.closeTo(3, 9), expect.closeTo(3, 9)]);
    }
  });

  it('is unbounded if there are too few permutations for the level', () => {
    expect(shiftInterval([1, 2, 3, 7, 8, 9], buildPermutations(3, 3), level)).toEqual({
      from: Number.NEGATIVE_INFINITY,
      to: Number.POSITIVE_INFINITY,
    });
  });
});
