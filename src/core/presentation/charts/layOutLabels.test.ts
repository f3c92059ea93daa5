import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseFreeEnd, keyPositions, labelLines, layOutLabels } from './layOutLabels.ts';

describe('layOutLabels', () => {
  it('keeps labels in place if they fit', () => {
    expect(layOutLabels([100, 20, 60], 14, 0, 200)).toEqual([100, 20, 60]);
  });

  it('moves neighbours apart and keeps them inside', () => {
    expect(layOutLabels([195, 196, 197], 14, 0, 200)).toEqual([172, 186, 200]);
  });

  it('always keeps order, bounds and distance', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 400 }), { minLength: 1, maxLength: 12 }), (wanted) => {
        const placed = layOutLabels(wanted, 14, 0, 240);
        const room = Math.min(14, 240 / Math.max(1, wanted.length - 1));
        const sorted = [...placed].sort((a, b) => a - b);
        expect(sorted.every((place) => place >= -1e-6 && place <= 240 + 1e-6)).toBe(true);
        expect(sorted.every((place, index) => index === 0 || place - (sorted[index - 1] ?? 0) >= room - 1e-6)).toBe(true);
        const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
        expect(order.every((index, place) => place === 0 || (placed[index] ?? 0) >= (placed[order[place - 1] ?? 0] ?? 0))).toBe(true);
      }),
    );
  });
});

describe('labelLines', () => {
  it('moves overlapping labels to other lines, and reuses free lines', () => {
    const labels = [
      { from: 100, width: 80 },
      { from: 0, width: 20 },
      { from: 120, width: 10 },
      { from: 300, width: 10 },
    ];
    expect(labelLines(labels)).toEqual([0, 0, 1, 0]);
  });
});

it('chooseFreeEnd: selects the end with fewer marks, or the right end if both have the same number', () => {
  const ends = [50, 500] as const;
  expect(chooseFreeEnd([], 60, ends)).toBe('end');
  expect(chooseFreeEnd([60], 60, ends)).toBe('end');
  expect(chooseFreeEnd([450], 60, ends)).toBe('start');
  expect(chooseFreeEnd([60, 450], 60, ends)).toBe('end');
  expect(chooseFreeEnd([300], 60, ends)).toBe('end');
});

describe('keyPositions', () => {
  it('places entries in a row, and wraps at the end', () => {
    expect(keyPositions([50, 30, 40, 10], 10, 100)).toEqual([
      { x: 0, row: 0 },
      { x: 60, row: 0 },
      { x: 0, row: 1 },
      { x: 50, row: 1 },
    ]);
  });

  it('gives an entry that is too wide its own row', () => {
    expect(keyPositions([20, 300, 20], 10, 100).map(({ row }) => row)).toEqual([0, 1, 2]);
    expect(keyPositions([300], 10, 100)).toEqual([{ x: 0, row: 0 }]);
  });
});
