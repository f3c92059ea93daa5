import { describe, expect, it } from 'vitest';
import type { Difference } from '#core/series/result.ts';
import { foldedDifferences, MOST_OPEN } from './SeriesPage.tsx';

const difference = (judgement: Difference['judgement'], variant: number): Difference => ({
  level: '',
  reference: 'the first',
  variant: String(variant),
  measure: 'p95',
  ratio: 1,
  judgement,
  text: `difference ${variant}`,
});

describe('foldedDifferences', () => {
  it('leaves a few as they are, chance or not', () => {
    const few = Array.from({ length: MOST_OPEN }, (_unused, index) => difference(index === 2 ? 'differs' : 'tooFew', index));
    expect(foldedDifferences(few)).toEqual({ open: few, folded: [] });
  });

  it('folds of many what may be chance, and nothing else', () => {
    const real = [difference('differs', 1), difference('differs', 4)];
    const chance = [0, 2, 3, 5, 6].map((variant) => difference(variant % 2 === 0 ? 'withinNoise' : 'tooFew', variant));
    const all = [...real, ...chance].toSorted((a, b) => Number(a.variant) - Number(b.variant));
    expect(foldedDifferences(all)).toEqual({ open: real, folded: chance });
    expect(foldedDifferences([...real, ...real, ...real, ...real]).folded).toEqual([]);
  });
});
