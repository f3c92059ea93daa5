import { describe, expect, it } from 'vitest';
import { leastSquares } from './leastSquares.ts';

const at = (points: readonly (readonly number[])[], value: (point: readonly number[]) => number, weight = 1) =>
  points.map((point) => ({ at: point, value: value(point), weight }));

describe('leastSquares', () => {
  it('finds the plane on which all values lie, whatever the units', () => {
    const points = [1e3, 1e4, 1e5].flatMap((rows) => [100, 1e6, 1e7].map((bytes) => [rows, bytes]));
    const plane = leastSquares(at(points, ([rows = 0, bytes = 0]) => 25 + 0.012 * rows + 3e-6 * bytes));
    expect(plane?.coefficients[0]).toBeCloseTo(25, 6);
    expect(plane?.coefficients[1]).toBeCloseTo(0.012, 9);
    expect(plane?.coefficients[2]).toBeCloseTo(3e-6, 12);
    expect(Math.max(...(plane?.errors ?? [1]))).toBeLessThan(1e-6);
    expect(plane?.freedom).toBe(6);
    // A full grid: neither amount changes with the other.
    for (const one of plane?.inflation ?? []) expect(one).toBeCloseTo(1, 9);
  });

  it('has the slope and the standard error of a published example', () => {
    // Anscombe 1973, first data set: y = 3.0001 + 0.5001 x, standard errors 1.1247 and 0.1179.
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
    const plane = leastSquares(x.map((value, index) => ({ at: [value], value: y[index] ?? 0, weight: 1 })));
    expect(plane?.coefficients.map((value) => value.toFixed(4))).toEqual(['3.0001', '0.5001']);
    expect(plane?.errors.map((value) => value.toFixed(4))).toEqual(['1.1247', '0.1179']);
  });

  it('listens to what weighs more', () => {
    const heavy = [0, 1, 2].map((x) => ({ at: [x], value: x, weight: 1e6 }));
    const plane = leastSquares([...heavy, { at: [3], value: 30, weight: 1 }]);
    expect(plane?.coefficients[1]).toBeCloseTo(1, 3);
  });

  it('tells no slopes of amounts that cannot be told apart, or of too few values', () => {
    expect(
      leastSquares(
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
    expect(leastSquares(at([[1], [1], [1]], () => 5))).toBeNull();
    expect(leastSquares(at([[1], [2]], ([x = 0]) => x))).toBeNull();
    const nearly = leastSquares(
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
