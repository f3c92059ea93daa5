import { describe, expect, it } from 'vitest';
import { nearestDrawn, walk } from './CrosshairLayer.tsx';

describe('walk', () => {
  it('steps, pages and jumps, and stays on the chart', () => {
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

  it('leaves other keys alone, and an empty chart too', () => {
    expect(walk('Tab', 5, 100)).toBeNull();
    expect(walk('ArrowLeft', -1, 0)).toBeNull();
  });
});

describe('nearestDrawn', () => {
  it('finds the place among the drawn points', () => {
    const spans = [0, 1, 2, 3, 4].map((second) => ({ second, width: 1 }));
    expect(nearestDrawn(spans, [0, 2, 4], 3.6)).toBe(2);
    expect(nearestDrawn(spans, [], 3.6)).toBe(-1);
  });
});
