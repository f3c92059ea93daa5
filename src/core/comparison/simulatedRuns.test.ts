import { describe, expect, it } from 'vitest';
import { listDifferences } from './differences.ts';
import type { Figure } from './schema.ts';
import { normalNumbers, simulatedFigures } from './testing/simulated.ts';

const NOISE = { common: 0.015, own: 0.008 };
const COMPARISONS = 1_000;

interface Tally {
  readonly any: number;
  readonly faster: number;
  readonly intervalMisses: number;
}

/** Compares 5 runs per side repeatedly; the second side's times are multiplied by `factor`. */
function compareOften(factor: number, noise = NOISE, comparisons = COMPARISONS): Tally {
  const normal = normalNumbers(20_260);
  const tally = { any: 0, faster: 0, intervalMisses: 0 };
  for (let comparison = 0; comparison < comparisons; comparison += 1) {
    const side = (times: number): Figure[][] => Array.from({ length: 5 }, () => simulatedFigures(normal, noise, times));
    const found = listDifferences({ first: side(1), second: side(factor), isRefused: false });
    if (found.some(({ judgement }) => judgement === 'differs')) tally.any += 1;
    const p50 = found.find(({ measure }) => measure === 'p50');
    if (found.some(({ judgement, direction }) => judgement === 'differs' && direction === 'worse')) tally.faster += 1;
    if (p50?.interval && (p50.interval.from > factor - 1 || p50.interval.to < factor - 1)) tally.intervalMisses += 1;
  }
  return tally;
}

describe('1,000 simulated comparisons of 5 runs per side', () => {
  it('lead to a claim between identical configurations in at most 2 %, and their intervals cover the true value', () => {
    const { any, intervalMisses } = compareOften(1);
    expect(any).toBeLessThanOrEqual(20);
    expect(intervalMisses).toBeLessThanOrEqual(20);
  });

  it('reveal a true difference of 10 % in at least 95 %, if runs vary by about 2 %', () => {
    const { faster, intervalMisses } = compareOften(1.1);
    expect(faster).toBeGreaterThanOrEqual(950);
    expect(intervalMisses).toBeLessThanOrEqual(20);
  });

  it('rarely claim a difference of 10 % if runs vary by 20 %', () => {
    expect(compareOften(1.1, { common: 0.2, own: 0.05 }, 200).any).toBeLessThanOrEqual(20);
  });
});
