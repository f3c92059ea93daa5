import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawSparkline } from '../results/resultOf.ts';

describe('drawSparkline', () => {
  it('returns completed requests per second, whatever the width of the points', () => {
    expect(
      drawSparkline([
        { completed: 100, width: 1 },
        { completed: 500, width: 10 },
      ]),
    ).toEqual([100, 50]);
    expect(drawSparkline([])).toEqual([]);
  });

  it('returns at most 40 values and keeps a constant rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), (count) => {
        const values = drawSparkline(Array.from({ length: count }, () => ({ completed: 7, width: 1 })));
        expect(values.length).toBeLessThanOrEqual(40);
        expect(new Set(values)).toEqual(new Set([7]));
      }),
    );
  });
});
