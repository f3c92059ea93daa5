import { describe, expect, it } from 'vitest';
import { rangeOf, rangeOfSpans } from './rule.ts';

const seconds = (...all: number[]) => all.map((second) => ({ second, width: 1 }));

describe('rangeOf', () => {
  it('returns a single range for consecutive seconds', () => {
    expect(rangeOf(seconds(3, 4, 5))).toEqual({ fromSecond: 3, toSecond: 6 });
    expect(rangeOf([])).toBeNull();
  });

  it('lists the spans if seconds are missing', () => {
    expect(rangeOf(seconds(3, 4, 80))).toEqual({
      fromSecond: 3,
      toSecond: 81,
      spans: [
        { fromSecond: 3, toSecond: 5 },
        { fromSecond: 80, toSecond: 81 },
      ],
    });
  });

  it('joins the closest spans if there are more than the maximum of a chart', () => {
    const range = rangeOf(seconds(...Array.from({ length: 200 }, (_, index) => 2 * index + (index >= 100 ? 50 : 0))));
    expect(range?.spans).toEqual([
      { fromSecond: 0, toSecond: 199 },
      { fromSecond: 250, toSecond: 449 },
    ]);
  });
});

describe('rangeOfSpans', () => {
  it('returns a range that ends at the last end of overlapping spans', () => {
    const overlapping = [
      { fromSecond: 1, toSecond: 9 },
      { fromSecond: 2, toSecond: 4 },
    ];
    expect(rangeOfSpans(overlapping)).toEqual({ fromSecond: 1, toSecond: 9 });
  });
});
