import { describe, expect, it } from 'vitest';
import { labelledMarks, RARITY_MARKS, rarityOf } from './rarity.ts';

describe('labelledMarks', () => {
  it('labels every mark that the axis reaches where there is room', () => {
    expect(labelledMarks(5, 1_000, () => 60)).toEqual([...RARITY_MARKS]);
    expect(labelledMarks(rarityOf(99), 1_000, () => 60)).toEqual([50, 90, 99]);
  });

  it('leaves out what would touch the label before it, by the width of each', () => {
    // On 200 pixels to 1 in 1,000 the marks lie at 20, 67, 133 and 200.
    expect(labelledMarks(3, 200, () => 46)).toEqual([50, 90, 99, 99.9]);
    expect(labelledMarks(3, 200, () => 60)).toEqual([50, 99, 99.9]);
    expect(labelledMarks(3, 200, (mark) => (mark > 99 ? 90 : 60))).toEqual([50, 99]);
  });

  it('counts with the place that a label is moved to at the end of the axis', () => {
    expect(labelledMarks(3, 200, () => 60, 30)).toEqual([50, 99, 99.9]);
    // 20 pixels are left beyond the end, of the 30 that half a label takes.
    expect(labelledMarks(3, 200, () => 60, 20)).toEqual([50, 99]);
  });

  it('keeps the first where there is room for one only', () => {
    expect(labelledMarks(5, 20, () => 60)).toEqual([50]);
  });
});
