import { describe, expect, it } from 'vitest';
import type { StatedDifference } from '#core/series/differences.ts';
import { foldedDifferences, MAX_OPEN } from './SeriesPage.tsx';

const difference = (judgement: StatedDifference['judgement'], variant: number): StatedDifference => ({
  judgement,
  text: `difference ${variant}`,
});

describe('foldedDifferences', () => {
  it('collapses nothing if there are few differences', () => {
    const few = Array.from({ length: MAX_OPEN }, (_unused, index) => difference(index === 2 ? 'differs' : 'tooFew', index));
    expect(foldedDifferences(few)).toEqual({ open: few, folded: [] });
  });

  it('collapses only differences that may be chance if there are many', () => {
    const real = [difference('differs', 1), difference('differs', 4)];
    const chance = [0, 2, 3, 5, 6].map((variant) => difference(variant % 2 === 0 ? 'withinNoise' : 'tooFew', variant));
    const all = [...real, ...chance].toSorted((a, b) => a.text.localeCompare(b.text));
    expect(foldedDifferences(all)).toEqual({ open: real, folded: chance });
    expect(foldedDifferences([...real, ...real, ...real, ...real]).folded).toEqual([]);
  });
});
