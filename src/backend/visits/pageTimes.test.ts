import { describe, expect, it } from 'vitest';
import { getLayoutShift, usableMsOf } from './pageTimes.ts';

describe('getLayoutShift', () => {
  it('returns the largest session window of shifts', () => {
    expect(getLayoutShift({ shifts: [] })).toBe(0);
    const shifts = [
      { atMs: 100, value: 0.1 },
      { atMs: 900, value: 0.1 },
      { atMs: 2_500, value: 0.15 },
    ];
    expect(getLayoutShift({ shifts })).toBeCloseTo(0.2);
  });

  it('ends a session after five seconds', () => {
    const shifts = Array.from({ length: 8 }, (_, index) => ({ atMs: index * 900, value: 0.1 }));
    expect(getLayoutShift({ shifts })).toBeCloseTo(0.6);
  });
});

describe('usableMsOf', () => {
  it('returns the first paint if no long task follows', () => {
    expect(usableMsOf({ firstPaintMs: 300, interactiveMs: 200, tasks: [{ atMs: 10, tookMs: 100 }] })).toBe(300);
  });

  it('waits for long tasks that follow each other within half a second, and for scripts of the page', () => {
    const tasks = [
      { atMs: 600, tookMs: 200 },
      { atMs: 1_200, tookMs: 100 },
      { atMs: 2_500, tookMs: 400 },
    ];
    expect(usableMsOf({ firstPaintMs: 300, interactiveMs: 200, tasks })).toBe(1_300);
    expect(usableMsOf({ firstPaintMs: 300, interactiveMs: 1_900, tasks })).toBe(1_900);
  });

  it('returns null if nothing has been painted', () => {
    expect(usableMsOf({ firstPaintMs: null, interactiveMs: 10, tasks: [] })).toBeNull();
  });
});
