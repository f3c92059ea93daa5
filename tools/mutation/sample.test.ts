import { expect, it } from 'vitest';
import { intervalWords, sampleOf } from './sample.ts';

const all = Array.from({ length: 1_000 }, (_unused, index) => index);

it('draws each item equally often, in order, deterministic by seed', () => {
  const drawn = sampleOf(all, 100, 7);
  expect(drawn).toHaveLength(100);
  expect(drawn).toEqual(drawn.toSorted((one, other) => one - other));
  expect(sampleOf(all, 100, 7)).toEqual(drawn);
  expect(sampleOf(all, 100, 8)).not.toEqual(drawn);
  const often = Array.from({ length: 500 }, (_unused, seed) => sampleOf(all, 100, seed)).flat();
  const firstHalf = often.filter((one) => one < 500).length / often.length;
  expect(Math.abs(firstHalf - 0.5)).toBeLessThan(0.01);
  expect(sampleOf([1, 2], 5, 1)).toEqual([1, 2]);
});

it('intervalWords shows the confidence interval of a share', () => {
  expect(intervalWords(75, 100)).toBe('65.3 to 83.1 %');
  expect(intervalWords(100, 100)).toBe('96.4 to 100.0 %');
});
