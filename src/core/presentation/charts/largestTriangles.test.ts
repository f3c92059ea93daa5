import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largestTriangles } from './largestTriangles.ts';

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

describe('largestTriangles', () => {
  it('keeps everything when there is room for it', () => {
    expect(largestTriangles([0, 1, 2], [5, 5, 5], 3)).toEqual([0, 1, 2]);
    expect(largestTriangles([], [], 10)).toEqual([]);
  });

  it('keeps a single peak among a thousand quiet seconds', () => {
    const ys = range(1_000).map((index) => (index === 617 ? 900 : 10));
    expect(largestTriangles(range(1_000), ys, 20)).toContain(617);
  });

  it('returns rising indexes, the first and the last among them, and never more than asked for', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 3, maxLength: 400 }),
        fc.integer({ min: 2, max: 60 }),
        (ys, count) => {
          const kept = largestTriangles(range(ys.length), ys, count);
          expect(kept.length).toBe(Math.min(ys.length, count));
          expect(kept[0]).toBe(0);
          expect(kept.at(-1)).toBe(ys.length - 1);
          expect(kept.every((index, place) => place === 0 || index > (kept[place - 1] ?? -1))).toBe(true);
        },
      ),
    );
  });
});
