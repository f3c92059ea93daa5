import { describe, expect, it } from 'vitest';
import { sparklinePath, axisTop } from './Sparkline.tsx';

describe('sparklinePath', () => {
  it('draws 0 at the bottom and the highest value at the top', () => {
    expect(sparklinePath([0, 10], 2)).toBe('M2 26L118 2');
  });

  it('interrupts the line at a gap and draws a single value as a dot', () => {
    expect(sparklinePath([1, null, 1, 1], 4)).toBe('M2 2h0M79.3 2L118 2');
  });

  it('keeps the newest value at the right end', () => {
    expect(sparklinePath([5], 60)).toBe('M118 2h0');
  });

  it('draws a flat line at the bottom if all values are 0', () => {
    expect(sparklinePath([0, 0], 2)).toBe('M2 26L118 26');
  });
});

describe('axisTop', () => {
  it('includes a target near the values, and ignores a target far above them', () => {
    expect(axisTop([10, null, 40], 100)).toBe(100);
    expect(axisTop([10, null, 40], 20)).toBe(40);
    expect(axisTop([10], 1_000)).toBe(10);
    expect(axisTop([], 300)).toBe(1);
  });
});
