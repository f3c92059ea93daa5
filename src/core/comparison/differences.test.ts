import { describe, expect, it } from 'vitest';
import { differencesOf } from './differences.ts';
import { WHOLE_RUN } from './comparedRun.ts';
import type { Figure } from './schema.ts';
import { normalNumbers, simulatedFigures } from './testing/simulated.ts';

const NOISE = { common: 0.015, own: 0.008 };
const COMPARISONS = 1_000;

interface Tally {
  readonly any: number;
  readonly faster: number;
  readonly intervalMisses: number;
}

/** Compares so often 5 runs a side, of which the second has times `factor` times those of the first. */
function compareOften(factor: number, noise = NOISE, comparisons = COMPARISONS): Tally {
  const normal = normalNumbers(20_260);
  const tally = { any: 0, faster: 0, intervalMisses: 0 };
  for (let comparison = 0; comparison < comparisons; comparison += 1) {
    const side = (times: number): Figure[][] => Array.from({ length: 5 }, () => simulatedFigures(normal, noise, times));
    const found = differencesOf({ first: side(1), second: side(factor), isRefused: false });
    if (found.some(({ judgement }) => judgement === 'differs')) tally.any += 1;
    const p50 = found.find(({ measure }) => measure === 'p50');
    if (found.some(({ judgement, direction }) => judgement === 'differs' && direction === 'worse')) tally.faster += 1;
    if (p50?.interval && (p50.interval.from > factor - 1 || p50.interval.to < factor - 1)) tally.intervalMisses += 1;
  }
  return tally;
}

describe('1,000 simulated comparisons of 5 runs a side', () => {
  it('claim a difference between identical configurations in at most 2 of 100, and their intervals hold the truth', () => {
    const { any, intervalMisses } = compareOften(1);
    expect(any).toBeLessThanOrEqual(20);
    expect(intervalMisses).toBeLessThanOrEqual(20);
  });

  it('find a true tenth in at least 95 of 100, where runs differ by about 2 % among themselves', () => {
    const { faster, intervalMisses } = compareOften(1.1);
    expect(faster).toBeGreaterThanOrEqual(950);
    expect(intervalMisses).toBeLessThanOrEqual(20);
  });

  it('do not find a tenth in noise of a fifth, and say so', () => {
    expect(compareOften(1.1, { common: 0.2, own: 0.05 }, 200).any).toBeLessThanOrEqual(20);
  });
});

const p95 = (value: number | null): Figure[] => [{ scope: WHOLE_RUN, measure: 'p95', value }];

describe('differencesOf', () => {
  it('shows the figures of few runs and claims nothing of them', () => {
    const [one] = differencesOf({ first: [p95(100), p95(102)], second: [p95(200), p95(210)], isRefused: false });
    expect(one).toMatchObject({ judgement: 'tooFew', from: { median: 101 }, to: { median: 205 }, interval: null, direction: 'worse' });
    expect(one?.change).toBeCloseTo(Math.sqrt((200 * 210) / (100 * 102)) - 1, 9);
  });

  it('does not know what a run does not tell', () => {
    const [one] = differencesOf({ first: [p95(100)], second: [p95(null)], isRefused: false });
    expect(one).toMatchObject({ judgement: 'notKnown', to: null, change: null, direction: null });
  });

  it('compares shares by what they differ, since there is no ratio to none', () => {
    const failed = (value: number): Figure[] => [{ scope: WHOLE_RUN, measure: 'failedShare', value }];
    const [one] = differencesOf({
      first: [0, 0, 0, 0, 0].map(failed),
      second: [0.01, 0.012, 0.009, 0.011, 0.01].map(failed),
      isRefused: false,
    });
    expect(one).toMatchObject({ scale: 'difference', judgement: 'differs', direction: 'worse' });
    expect(one?.change).toBeCloseTo(0.0104, 9);
  });

  it('takes answers a second the other way round than times', () => {
    const rate = (value: number): Figure[] => [{ scope: WHOLE_RUN, measure: 'goodPerSecond', value }];
    const [one] = differencesOf({
      first: [100, 101, 99, 100, 102].map(rate),
      second: [120, 121, 119, 122, 120].map(rate),
      isRefused: false,
    });
    expect(one).toMatchObject({ judgement: 'differs', direction: 'better' });
  });

  it('claims nothing of what it was told not to', () => {
    const [one] = differencesOf({ first: [1, 2, 3, 4, 5].map(p95), second: [11, 12, 13, 14, 15].map(p95), isRefused: true });
    expect(one).toMatchObject({ judgement: 'refused', interval: null });
  });
});
