import { describe, expect, it } from 'vitest';
import { bandPath, dotsPath, shortRunDots, linePath, stepAreaPath } from './paths.ts';

const at = (x: number, y: number) => ({ x, y });

describe('linePath', () => {
  it('is interrupted at unknown values, and draws no line for a single value', () => {
    expect(linePath([at(0, 5), at(10, 6.04), null, at(30, 7)])).toBe('M0 5L10 6');
    expect(linePath([])).toBe('');
  });
});

describe('shortRunDots', () => {
  it('draws dots for places with few neighbours, and none in a longer line', () => {
    expect(shortRunDots([at(0, 5), at(10, 6), null, at(30, 7)])).toBe('M0 5h0M10 6h0M30 7h0');
    expect(shortRunDots([at(0, 5), at(1, 5), at(2, 5), at(3, 5)])).toBe('');
  });
});

describe('dotsPath', () => {
  it('draws each known value', () => {
    expect(dotsPath([at(0, 5), null, at(2, 6)])).toBe('M0 5h0M2 6h0');
  });
});

describe('bandPath', () => {
  it('follows the upper line and returns along the lower, with a gap at unknown values', () => {
    expect(bandPath([at(0, 9), at(1, 8), null], [at(0, 5), at(1, 4), at(2, 3)])).toBe('M0 5L1 4L1 8L0 9Z');
  });
});

describe('stepAreaPath', () => {
  it('draws a single second at full width, and nothing for height 0', () => {
    const piece = (from: number, high: number) => ({ from, to: from + 1, low: 10, high });
    expect(stepAreaPath([piece(0, 10), piece(1, 4), piece(2, 10), null, piece(4, 2)])).toBe('M1 4L2 4L2 10L1 10ZM4 2L5 2L5 10L4 10Z');
    expect(stepAreaPath([piece(0, 4), piece(1, 2)])).toBe('M0 4L1 4L1 2L2 2L2 10L1 10L1 10L0 10Z');
  });
});
