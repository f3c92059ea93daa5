import { describe, expect, it } from 'vitest';
import { type BlockCount, cautiousEffect } from './clumping.ts';

/** Returns blocks of a hundred requests; each argument is the number of requests over the limit. */
const blocks = (...over: readonly number[]): BlockCount[] => over.map((many) => ({ counted: 100, over: many }));
const oneClump = blocks(0, 0, 0, 10, 0, 0, 0, 0, 0, 0);
/** 20 seconds; every fourth of them has eight requests over the limit. */
const comingAgain = blocks(...Array.from({ length: 20 }, (_, second) => (second % 4 === 1 ? 8 : 0)));

describe('cautiousEffect', () => {
  it('estimates the variance of a single clump from neighbouring differences, scaled by (t / z)² for ten blocks', () => {
    // The deviations are 9 and −1, and the independent variance is 9.9. Neighbours differ by 10 twice: 200 × 10 / 18 × 10 / (9 × 9.9) =
    // 12.47.
    expect(cautiousEffect(oneClump, 'low', 0)).toBeCloseTo(1 + 11.47 * (1.8331 / 1.6449) ** 2, 1);
  });

  it('adds, for an upper bound, clumps as large as the largest one', () => {
    // A deviation of 9 adds 81: 192.1 × 10 / (9 × 9.9) = 21.56.
    expect(cautiousEffect(oneClump, 'high', 1)).toBeCloseTo(1 + 20.56 * (1.8331 / 1.6449) ** 2, 1);
    expect(cautiousEffect(oneClump, 'high', 0)).toBeCloseTo(cautiousEffect(oneClump, 'low', 1), 9);
    expect(cautiousEffect(oneClump, 'high', 0.35)).toBeGreaterThan(cautiousEffect(oneClump, 'high', 0));
  });

  it('uses the variance between blocks of one or two seconds for recurring clumps', () => {
    // The deviations are 6 and −2: 240 × 20 / (19 × 39.2) = 6.445, with 19 degrees of freedom.
    expect(cautiousEffect(comingAgain, 'low', 0)).toBeCloseTo(1 + 5.445 * (1.7291 / 1.6449) ** 2, 2);
  });

  it('is larger if neighbours correlate', () => {
    const long = (length: number) => blocks(...Array.from({ length: 60 }, (_, second) => (second % (2 * length) < length ? 0 : 8)));
    expect(cautiousEffect(long(5), 'low', 0)).toBeGreaterThan(2 * cautiousEffect(long(1), 'low', 0));
  });

  it('does not treat a few requests as a clump', () => {
    const few = blocks(4, 5, 6, 5, 4, 6, 5, 5, 4, 6);
    expect(cautiousEffect(few, 'high', 1)).toBe(1);
  });

  it.each<readonly [string, BlockCount[]]>([
    ['nothing', []],
    ['one block', blocks(50)],
    ['none over', blocks(0, 0, 0, 0)],
    ['all over', blocks(100, 100, 100)],
    ['an even spread', blocks(5, 5, 5, 5, 5, 5)],
    ['seconds without requests', [{ counted: 0, over: 0 }, ...blocks(5)]],
  ])('is 1 for %s', (_, of) => {
    expect([cautiousEffect(of, 'high', 1), cautiousEffect(of, 'low', 1)]).toEqual([1, 1]);
  });

  it('decreases with the number of clumps', () => {
    const every = (seconds: number, count: number) =>
      blocks(...Array.from({ length: count }, (_, second) => (second % seconds === 1 ? 8 : 0)));
    expect(cautiousEffect(every(4, 60), 'low', 0)).toBeLessThan(cautiousEffect(every(4, 12), 'low', 0));
  });
});

/** The expected values come from an independent program that integrates Student’s t numerically. */
describe('block lengths of cautiousEffect', () => {
  /** Returns `count` cycles of `without` seconds with none and `withEight` seconds with eight requests over the limit. */
  const waves = (without: number, withEight: number, count: number) =>
    blocks(...Array.from({ length: count * (without + withEight) }, (_, second) => (second % (without + withEight) < without ? 0 : 8)));
  const effect = (of: readonly BlockCount[]) => cautiousEffect(of, 'low', 0);

  it('are single seconds if neighbours correlate most there, up to a correlation of 0.4', () => {
    // The correlations are 0.42 and 0.25. The first one is limited to 0.4, which is a factor of (1 + 0.4) / (1 − 0.4).
    expect(effect(waves(3, 3, 4))).toBeCloseTo(9.4804, 2);
    expect(effect(waves(3, 2, 5))).toBeCloseTo(8.4571, 2);
  });

  it('are a twentieth of the run if those blocks differ most', () => {
    // The effects are 8.82 with 60 blocks, 9.27 with 20 blocks, and 7.42 with 10 blocks.
    expect(effect(waves(5, 5, 6))).toBeCloseTo(9.2652, 2);
  });

  it('are a sixth of the run if slow changes recur three times, but not twice', () => {
    expect(effect(waves(10, 10, 3))).toBeCloseTo(74.534, 1);
    // The effect comes from the differences of neighbours in 10 blocks; 6 blocks would give 59.5.
    expect(effect(waves(15, 15, 2))).toBeCloseTo(15.0906, 2);
  });

  it('give at least four degrees of freedom', () => {
    expect(effect(blocks(0, 8, 0))).toBeCloseTo(30.383, 1);
    expect(effect(blocks(8, 0, 0))).toBeCloseTo(14.852, 1);
  });

  it('contain a clump if its variance exceeds six times that of independent requests', () => {
    const one = (over: number) => blocks(1, 1, 1, over, 1, 1, 1, 1, 1, 1);
    const counts = (over: number) => cautiousEffect(one(over), 'high', 1) > cautiousEffect(one(over), 'low', 1);
    // 2.7² = 7.3 is below 7.7, and 3.6² = 13 is above 8.3.
    expect([counts(4), counts(5)]).toEqual([false, true]);
  });
});
