import { describe, expect, it } from 'vitest';
import { nextIndex, wholeSpans } from './TimeWalk.tsx';

describe('nextIndex', () => {
  it('moves by steps and pages, jumps to the ends, and stays on the chart', () => {
    expect(nextIndex('ArrowRight', 4, 100)).toBe(5);
    expect(nextIndex('ArrowLeft', 0, 100)).toBe(0);
    expect(nextIndex('PageUp', 95, 100)).toBe(99);
    expect(nextIndex('PageDown', 50, 100)).toBe(40);
    expect(nextIndex('Home', 50, 100)).toBe(0);
    expect(nextIndex('End', 50, 100)).toBe(99);
  });

  it('begins at the newest point', () => {
    expect(nextIndex('ArrowLeft', -1, 100)).toBe(98);
  });

  it('returns null for other keys and for an empty chart', () => {
    expect(nextIndex('Tab', 5, 100)).toBeNull();
    expect(nextIndex('ArrowLeft', -1, 0)).toBeNull();
  });
});

describe('wholeSpans', () => {
  const spans = [0, 2, 4, 6].map((second) => ({ second, width: 2 }));

  it('returns the spans that two seconds touch, in either order', () => {
    expect(wholeSpans(spans, 3, 5)).toEqual({ from: 2, to: 6 });
    expect(wholeSpans(spans, 7, 1)).toEqual({ from: 0, to: 8 });
  });

  it('returns null for a single span and for none', () => {
    expect(wholeSpans(spans, 2.1, 3.9)).toBeNull();
    expect(wholeSpans(spans, 20, 30)).toBeNull();
  });
});
