import { expect, it } from 'vitest';
import { medianWithEnds } from './trend.ts';
import { uniformAt } from './uniformAt.ts';

it('medianWithEnds: returns the middle value, with an interval for at least six values', () => {
  expect(medianWithEnds([])).toBeNull();
  expect(medianWithEnds([3, 1, 2])).toEqual({ median: 2, low: null, high: null });
  expect(medianWithEnds([6, 5, 4, 3, 2, 1])).toEqual({ median: 3.5, low: 1, high: 6 });
  // By Conover, table A3, the ends are the 6th and the 15th value for n = 20.
  expect(medianWithEnds(Array.from({ length: 20 }, (_, index) => index + 1))).toEqual({ median: 10.5, low: 6, high: 15 });
});

it('medianWithEnds: covers the true median in about 95 % of samples', () => {
  const cases = 2_000;
  let hits = 0;
  for (let index = 0; index < cases; index += 1) {
    // The distribution is skewed: the true median of u² is 0.25.
    const found = medianWithEnds(Array.from({ length: 11 }, (_, place) => uniformAt(7, index * 11 + place) ** 2));
    if (found !== null && (found.low ?? 1) <= 0.25 && (found.high ?? 0) >= 0.25) hits += 1;
  }
  expect(hits / cases).toBeGreaterThan(0.94);
});
