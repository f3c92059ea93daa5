import { describe, expect, it } from 'vitest';
import { plotArea, secondAt, xOf, yOf } from './geometry.ts';

const plot = plotArea({ width: 800, height: 240, hasNames: true });

describe('secondAt', () => {
  it('is the inverse of xOf, limited to the axis', () => {
    expect(secondAt(xOf(42, 0, 330, plot), 0, 330, plot)).toBeCloseTo(42, 9);
    expect(secondAt(-500, 0, 330, plot)).toBe(0);
    expect(secondAt(5_000, 0, 330, plot)).toBe(330);
  });
});

describe('yOf', () => {
  it('places the middle decade in the middle of a logarithmic axis', () => {
    const axis = { from: 1, to: 100, ticks: [] };
    expect(yOf(10, axis, true, plot)).toBeCloseTo((plot.top + plot.bottom) / 2, 9);
    expect(yOf(0, axis, true, plot)).toBe(plot.bottom);
  });

  it('places 0 at the bottom and the maximum at the top', () => {
    const axis = { from: 0, to: 50, ticks: [] };
    expect(yOf(0, axis, false, plot)).toBe(plot.bottom);
    expect(yOf(50, axis, false, plot)).toBe(plot.top);
  });
});
