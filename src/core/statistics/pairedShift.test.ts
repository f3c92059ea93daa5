import { describe, expect, it } from 'vitest';
import { pairedShift } from './pairedShift.ts';
import { uniformAt } from './uniformAt.ts';

describe('pairedShift', () => {
  it('equals the published example: depression scores before and after a drug (Hollander, Wolfe and Chicken 2014, 3.1)', () => {
    const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
    const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
    const shift = pairedShift(
      after.map((value, index) => value - (before[index] ?? 0)),
      0.04,
    );
    expect(shift?.value).toBeCloseTo(-0.46, 2);
    expect([shift?.low, shift?.high]).toEqual([expect.closeTo(-0.786, 3), expect.closeTo(-0.01, 3)]);
  });

  it('returns null if no result of so few differences could be significant', () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(pairedShift(all.slice(0, 7), 0.01)).toBeNull();
    expect(pairedShift(all, 0.01)).toEqual({ value: 4.5, low: 1, high: 8 });
    expect(pairedShift([], 0.01)).toBeNull();
  });

  it('ignores a few outliers, and joins thousands of differences', () => {
    const many = Array.from({ length: 9_000 }, (_, index) => (index % 50 === 0 ? 1_000 : 0.1 + 0.01 * (uniformAt(1, index) - 0.5)));
    const shift = pairedShift(many, 0.01);
    expect(shift?.value).toBeCloseTo(0.1, 3);
    expect((shift?.high ?? 0) - (shift?.low ?? 0)).toBeLessThan(0.001);
  });

  it('widens the interval where neighbouring differences are alike, and not where they are independent', () => {
    const independent = Array.from({ length: 60 }, (_, index) => 0.1 + 0.1 * (uniformAt(2, index) - 0.5));
    const alike = independent.toSorted((one, other) => one - other);
    const widthOf = (differences: readonly number[]): number => {
      const shift = pairedShift(differences, 0.01);
      return (shift?.high ?? 0) - (shift?.low ?? 0);
    };
    // The averages of all pairs, and with them the interval of independent differences, do not depend on the order.
    expect(widthOf(alike)).toBeGreaterThan(2 * widthOf(independent));
  });
});
