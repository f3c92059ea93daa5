import { describe, expect, it } from 'vitest';
import { clockTime, newCrosshair } from './crosshair.ts';

describe('clockTime', () => {
  it('adds the second to the start, and is silent when there is none', () => {
    expect(clockTime(null, 5)).toBe('');
    expect(clockTime('2026-03-12T14:05:07.000Z', 60, 'en-GB')).toMatch(/^\d\d:06:07$/);
  });
});

describe('newCrosshair', () => {
  it('tells every chart of a view, and only when something moved', () => {
    const crosshair = newCrosshair();
    const seen: (number | undefined)[] = [];
    const leave = crosshair.subscribe(() => seen.push(crosshair.look?.second));
    crosshair.move({ second: 3, chart: 'a' });
    crosshair.move({ second: 3, chart: 'a' });
    crosshair.move(null);
    leave();
    crosshair.move({ second: 9, chart: 'a' });
    expect(seen).toEqual([3, undefined]);
  });
});
