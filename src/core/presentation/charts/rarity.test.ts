import { describe, expect, it } from 'vitest';
import { chooseLabelledMarks, RARITY_MARKS, rarityOf } from './rarity.ts';

describe('chooseLabelledMarks', () => {
  it('labels every mark on the axis if there is space', () => {
    expect(chooseLabelledMarks(5, 1_000, () => 60)).toEqual([...RARITY_MARKS]);
    expect(chooseLabelledMarks(rarityOf(99), 1_000, () => 60)).toEqual([50, 90, 99]);
  });

  it('leaves out marks that overlap the previous label, by their widths', () => {
    // If 0.1 % is at 200 pixels, the marks are at 20, 67, 133 and 200.
    expect(chooseLabelledMarks(3, 200, () => 46)).toEqual([50, 90, 99, 99.9]);
    expect(chooseLabelledMarks(3, 200, () => 60)).toEqual([50, 99, 99.9]);
    expect(chooseLabelledMarks(3, 200, (mark) => (mark > 99 ? 90 : 60))).toEqual([50, 99]);
  });

  it('considers the moved position of the last label', () => {
    expect(chooseLabelledMarks(3, 200, () => 60, 30)).toEqual([50, 99, 99.9]);
    // Only 20 pixels remain beyond the end, but half of the label needs 30.
    expect(chooseLabelledMarks(3, 200, () => 60, 20)).toEqual([50, 99]);
  });

  it('keeps only the first mark if there is space for one', () => {
    expect(chooseLabelledMarks(5, 20, () => 60)).toEqual([50]);
  });
});
