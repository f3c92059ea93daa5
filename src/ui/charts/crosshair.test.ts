import { describe, expect, it } from 'vitest';
import { clockTime, newCrosshair } from './crosshair.ts';

describe('clockTime', () => {
  it('adds the second to the start, and returns an empty string without a start', () => {
    expect(clockTime(null, 5)).toBe('');
    expect(clockTime('2026-03-12T14:05:07.000Z', 60, 'en-GB')).toMatch(/^\d\d:06:07$/);
  });
});

describe('newCrosshair', () => {
  it('notifies every subscriber, and only after a change', () => {
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
