import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeDifference, rankSumProbability } from './noise.ts';

const side = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 4 });

describe('rankSumProbability', () => {
  it('equals published tables, in which 5 against 5 without overlap is 2 of 252', () => {
    expect(rankSumProbability([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])).toBeCloseTo(2 / 252, 12);
    expect(rankSumProbability([1, 2, 3], [4, 5, 6])).toBeCloseTo(2 / 20, 12);
  });

  it('equals the enumeration of all permutations, including ties', () => {
    fc.assert(
      fc.property(side, side, (left, right) => {
        expect(rankSumProbability(left, right)).toBeCloseTo(byEnumeration(left, right), 9);
      }),
    );
  });

  it('is symmetric and independent of scale', () => {
    fc.assert(
      fc.property(side, side, (left, right) => {
        expect(rankSumProbability(right, left)).toBeCloseTo(rankSumProbability(left, right), 9);
        expect(
          rankSumProbability(
            left.map((x) => 3 * x + 1),
            right.map((x) => 3 * x + 1),
          ),
        ).toBeCloseTo(rankSumProbability(left, right), 9);
      }),
    );
  });
});

describe('judgeDifference', () => {
  it.each([
    ['one run per side', [1], [9], 'tooFew'],
    ['a few that overlap', [1, 3], [2, 4], 'withinNoise'],
    ['a few that do not overlap', [1, 2], [3, 4], 'tooFew'],
    ['five that do not overlap', [1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 'differs'],
    ['five that overlap', [1, 3, 5, 7, 9], [2, 4, 6, 8, 10], 'withinNoise'],
  ])('judges %s', (_, left, right, expected) => expect(judgeDifference(left, right)).toBe(expected));
});

function byEnumeration(left: readonly number[], right: readonly number[]): number {
  const all = [...left, ...right];
  const rank = (value: number): number => all.filter((x) => x < value).length + (all.filter((x) => x === value).length + 1) / 2;
  const ranks = all.map(rank);
  const mean = (ranks.reduce((a, b) => a + b, 0) * left.length) / all.length;
  const far = (sum: number): number => Math.abs(sum - mean);
  const observed = far(ranks.slice(0, left.length).reduce((a, b) => a + b, 0));
  let total = 0;
  let atLeast = 0;
  for (let mask = 0; mask < 2 ** all.length; mask += 1) {
    const chosen = ranks.filter((_, index) => (mask >> index) & 1);
    if (chosen.length !== left.length) continue;
    total += 1;
    if (far(chosen.reduce((a, b) => a + b, 0)) >= observed - 1e-9) atLeast += 1;
  }
  return atLeast / total;
}
