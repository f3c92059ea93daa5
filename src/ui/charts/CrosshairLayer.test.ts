import { describe, expect, it } from 'vitest';
import { nearestDrawn, walk } from './CrosshairLayer.tsx';

describe('walk', () => {
  it('moves by steps and pages, jumps to the ends and stays on the chart', () => {
    expect(walk('ArrowRight', 4, 100)).toBe(5);
    expect(walk('ArrowLeft', 0, 100)).toBe(0);
    expect(walk('PageUp', 95, 100)).toBe(99);
    expect(walk('PageDown', 50, 100)).toBe(40);
    expect(walk('Home', 50, 100)).toBe(0);
    expect(walk('End', 50, 100)).toBe(99);
  });

  it('begins at the newest point', () => {
    expect(walk('ArrowLeft', -1, 100)).toBe(98);
  });

  it('returns null for other keys and for an empty chart', () => {
    expect(walk('Tab', 5, 100)).toBeNull();
    expect(walk('ArrowLeft', -1, 0)).toBeNull();
  });
});

describe('nearestDrawn', () => {
  it('returns the index of the nearest drawn point, or -1 without points', () => {
    const spans = [0, 1, 2, 3, 4].map((second) => ({ second, width: 1 }));
    expect(nearestDrawn(spans, [0, 2, 4], 3.6)).toBe(2);
    expect(nearestDrawn(spans, [], 3.6)).toBe(-1);
  });
});
