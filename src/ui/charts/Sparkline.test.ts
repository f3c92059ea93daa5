import { describe, expect, it } from 'vitest';
import { sparklinePath, topOf } from './Sparkline.tsx';

describe('sparklinePath', () => {
  it('reaches from the bottom for 0 to the top for the highest value', () => {
    expect(sparklinePath([0, 10], 2)).toBe('M2 26L118 2');
  });

  it('breaks at a gap and draws a lone value as a dot', () => {
    expect(sparklinePath([1, null, 1, 1], 4)).toBe('M2 2h0M79.3 2L118 2');
  });

  it('keeps the newest value at the right end', () => {
    expect(sparklinePath([5], 60)).toBe('M118 2h0');
  });

  it('is a flat line when nothing happened', () => {
    expect(sparklinePath([0, 0], 2)).toBe('M2 26L118 26');
  });
});

describe('topOf', () => {
  it('has room for a target near the values, and ignores one far above them', () => {
    expect(topOf([10, null, 40], 100)).toBe(100);
    expect(topOf([10, null, 40], 20)).toBe(40);
    expect(topOf([10], 1_000)).toBe(10);
    expect(topOf([], 300)).toBe(1);
  });
});
