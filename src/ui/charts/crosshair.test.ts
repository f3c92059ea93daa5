import { describe, expect, it } from 'vitest';
import { newCrosshair } from './crosshair.ts';

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
