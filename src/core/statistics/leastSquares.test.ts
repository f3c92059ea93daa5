import { describe, expect, it } from 'vitest';
import { fitLeastSquares } from './leastSquares.ts';

const at = (points: readonly (readonly number[])[], value: (point: readonly number[]) => number, weight = 1) =>
  points.map((point) => ({ at: point, value: value(point), weight }));

describe('fitLeastSquares', () => {
  it('finds an exact plane in any units', () => {
    const points = [1e3, 1e4, 1e5].flatMap((rows) => [100, 1e6, 1e7].map((bytes) => [rows, bytes]));
    const plane = fitLeastSquares(at(points, ([rows = 0, bytes = 0]) => 25 + 0.012 * rows + 3e-6 * bytes));
    expect(plane?.coefficients[0]).toBeCloseTo(25, 6);
    expect(plane?.coefficients[1]).toBeCloseTo(0.012, 9);
    expect(plane?.coefficients[2]).toBeCloseTo(3e-6, 12);
    expect(Math.max(...(plane?.errors ?? [1]))).toBeLessThan(1e-6);
    expect(plane?.freedom).toBe(6);
    // On a full grid, the predictors are uncorrelated.
    for (const one of plane?.inflation ?? []) expect(one).toBeCloseTo(1, 9);
  });

  it('returns the slope and standard error of a published example', () => {
    // The data are Anscombe's first set (1973): y = 3.0001 + 0.5001 x, standard errors 1.1247 and 0.1179.
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
    const plane = fitLeastSquares(x.map((value, index) => ({ at: [value], value: y[index] ?? 0, weight: 1 })));
    expect(plane?.coefficients.map((value) => value.toFixed(4))).toEqual(['3.0001', '0.5001']);
    expect(plane?.errors.map((value) => value.toFixed(4))).toEqual(['1.1247', '0.1179']);
    // The covariance of intercept and slope is −x̄ × variance of the slope, with x̄ = 9.
    expect(plane?.covariances[0]?.[1]).toBeCloseTo(-9 * 0.1179057 ** 2, 6);
    expect(plane?.covariances[1]?.[0]).toBeCloseTo(-9 * 0.1179057 ** 2, 6);
    expect(plane?.covariances[1]?.[1]).toBeCloseTo(0.1179057 ** 2, 6);
    expect(plane?.inflation).toEqual([expect.closeTo(1, 9)]);
    expect([plane?.freedom, plane?.fitted[0]]).toEqual([9, expect.closeTo(3.0001 + 0.5001 * 10, 3)]);
  });

  it('treats a weight as repeated observations', () => {
    const points = [
      { at: [0], value: 1, times: 1 },
      { at: [1], value: 4, times: 3 },
      { at: [2], value: 5, times: 2 },
    ];
    const weighted = fitLeastSquares(points.map(({ at: place, value, times }) => ({ at: place, value, weight: times })));
    const repeated = fitLeastSquares(
      points.flatMap(({ at: place, value, times }) => Array.from({ length: times }, () => ({ at: place, value, weight: 1 }))),
    );
    expect(weighted?.coefficients[0]).toBeCloseTo(repeated?.coefficients[0] ?? 0, 9);
    expect(weighted?.coefficients[1]).toBeCloseTo(repeated?.coefficients[1] ?? 0, 9);
    expect([weighted?.freedom, repeated?.freedom]).toEqual([1, 4]);
    // The sum of squares is the same, but is divided by one degree of freedom instead of four.
    expect(weighted?.errors[1]).toBeCloseTo(2 * (repeated?.errors[1] ?? 0), 9);
  });

  it('returns the variance inflation 1 / (1 − r²) of correlated predictors', () => {
    const points = [
      [1, 1],
      [2, 3],
      [3, 2],
      [4, 4],
      [5, 5],
    ];
    // The correlation r is 9 / 10.
    const inflation = fitLeastSquares(at(points, ([x = 0]) => x))?.inflation ?? [];
    expect(inflation).toEqual([expect.closeTo(1 / 0.19, 9), expect.closeTo(1 / 0.19, 9)]);
  });

  it('follows observations with more weight', () => {
    const heavy = [0, 1, 2].map((x) => ({ at: [x], value: x, weight: 1e6 }));
    const plane = fitLeastSquares([...heavy, { at: [3], value: 30, weight: 1 }]);
    expect(plane?.coefficients[1]).toBeCloseTo(1, 3);
  });

  it('returns null for collinear predictors or too few values', () => {
    expect(
      fitLeastSquares(
        at(
          [
            [1, 2],
            [2, 4],
            [3, 6],
            [4, 8],
          ],
          ([x = 0]) => x,
        ),
      ),
    ).toBeNull();
    expect(fitLeastSquares(at([[1], [1], [1]], () => 5))).toBeNull();
    expect(fitLeastSquares(at([[1], [2]], ([x = 0]) => x))).toBeNull();
    const nearly = fitLeastSquares(
      at(
        [
          [1, 1],
          [2, 2.1],
          [3, 2.9],
          [4, 4.1],
          [5, 5],
        ],
        ([x = 0]) => x,
      ),
    );
    expect(Math.max(...(nearly?.inflation ?? []))).toBeGreaterThan(100);
  });
});
