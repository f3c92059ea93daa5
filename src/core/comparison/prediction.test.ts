import { describe, expect, it } from 'vitest';
import { compareWithBaseline } from './compareSides.ts';
import type { Comparison } from './schema.ts';
import { normalNumbers, runWith, simulatedFigures } from './testing/simulated.ts';

const NOISE = { common: 0.02, own: 0.01 };

/** Compares a later run, whose times are multiplied by `factor`, with runs of an undisturbed server. */
function compared(seed: number, factor: number, baselineRuns = 5): Comparison {
  const normal = normalNumbers(seed);
  const runs = (count: number, minute: number, times: number) =>
    Array.from({ length: count }, (_, index) => runWith(minute + index, { figures: simulatedFigures(normal, NOISE, times) }));
  return compareWithBaseline({ name: 'the baseline', runs: runs(baselineRuns, 0, 1) }, { name: 'now', runs: runs(1, 60, factor) });
}

const conclusions = (factor: number, baselineRuns?: number): number => {
  let differing = 0;
  for (let seed = 1; seed <= 200; seed += 1) if (compared(seed, factor, baselineRuns).pairs[0]?.conclusion === 'differs') differing += 1;
  return differing / 200;
};

describe('a single run compared with a baseline', () => {
  it('is rarely called different for an identical server', () => {
    expect(conclusions(1)).toBeLessThanOrEqual(0.03);
    expect(conclusions(1, 10)).toBeLessThanOrEqual(0.03);
  });

  it('is called different if it takes much longer, and at a smaller slowdown with more baseline runs', () => {
    expect(conclusions(1.4)).toBeGreaterThanOrEqual(0.9);
    expect(conclusions(1.2, 15)).toBeGreaterThanOrEqual(0.9);
  });

  it('names its baseline in the reasons', () => {
    const [pair] = compared(1, 1.5).pairs;
    expect(pair?.reasons[0]).toBe(
      'One run is held against how far the 5 of “the baseline” are apart. They were made at another time, so whatever else changed since is part of the difference.',
    );
    expect(pair?.differences.every(({ interval }) => interval !== null)).toBe(true);
  });

  it('is inconclusive for a baseline of four runs', () => {
    expect(compared(1, 3, 4).pairs[0]).toMatchObject({
      conclusion: 'tooFew',
      sentence: 'Too few runs: 4 and 1. From 5 runs of the baseline on, one whole run can be distinguished from chance.',
    });
  });
});
