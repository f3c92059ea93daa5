import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseDrawnIndexes, isGap, chooseByLargestTriangle } from './drawnIndexes.ts';
import type { Span } from './types.ts';

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

describe('chooseByLargestTriangle', () => {
  it('keeps everything if it fits', () => {
    expect(chooseByLargestTriangle([0, 1, 2], [5, 5, 5], 3)).toEqual([0, 1, 2]);
    expect(chooseByLargestTriangle([], [], 10)).toEqual([]);
  });

  it('keeps a single peak among a thousand quiet seconds', () => {
    const ys = range(1_000).map((index) => (index === 617 ? 900 : 10));
    expect(chooseByLargestTriangle(range(1_000), ys, 20)).toContain(617);
  });

  it('returns at most `count` ascending indexes, including the first and the last', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 3, maxLength: 400 }),
        fc.integer({ min: 2, max: 60 }),
        (ys, count) => {
          const kept = chooseByLargestTriangle(range(ys.length), ys, count);
          expect(kept.length).toBe(Math.min(ys.length, count));
          expect(kept[0]).toBe(0);
          expect(kept.at(-1)).toBe(ys.length - 1);
          expect(kept.every((index, place) => place === 0 || index > (kept[place - 1] ?? -1))).toBe(true);
        },
      ),
    );
  });
});

const seconds = (length: number, from = 0): Span[] => Array.from({ length }, (_, index) => ({ second: from + index, width: 1 }));

describe('chooseDrawnIndexes', () => {
  it('draws every span of a short run', () => {
    expect(chooseDrawnIndexes(seconds(5), [{ values: [1, 2, 3, 4, 5] }])).toEqual([0, 1, 2, 3, 4]);
  });

  it('never draws more than 600 points, for any number of series', () => {
    const value = fc.option(fc.double({ min: 0, max: 1e5, noNaN: true }), { nil: null });
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 2_000 }), (rows) => {
        const drawn = chooseDrawnIndexes(seconds(rows.length), [{ values: rows.map(([a]) => a) }, { values: rows.map(([, b]) => b) }]);
        expect(drawn.length).toBeLessThanOrEqual(600);
        expect(drawn).toEqual([...new Set(drawn)].sort((a, b) => a - b));
      }),
      { numRuns: 40 },
    );
  });

  it('keeps a period without responses as a gap', () => {
    const values = Array.from({ length: 3_000 }, (_, index) => (index >= 1_400 && index < 1_500 ? null : 100 + (index % 7)));
    const drawn = chooseDrawnIndexes(seconds(3_000), [{ values }], 100);
    expect(drawn.some((index) => values[index] === null)).toBe(true);
    expect(drawn).toContain(1_399);
    expect(drawn).toContain(1_500);
  });

  it('keeps both edges of unmeasured seconds', () => {
    const spans = [...seconds(1_000), ...seconds(1_000, 1_200)];
    const drawn = chooseDrawnIndexes(spans, [{ values: spans.map(() => 5) }], 60);
    expect(drawn).toContain(999);
    expect(drawn).toContain(1_000);
    expect(drawn.length).toBeLessThanOrEqual(60);
  });
});

describe('isGap', () => {
  it('distinguishes adjacent spans from spans with unmeasured seconds between them', () => {
    expect(isGap({ second: 3, width: 1 }, { second: 4, width: 10 })).toBe(false);
    expect(isGap({ second: 0.1, width: 0.2 }, { second: 0.3, width: 1 })).toBe(false);
    expect(isGap({ second: 3, width: 1 }, { second: 5, width: 1 })).toBe(true);
  });
});
