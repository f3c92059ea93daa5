import { describe, expect, it } from 'vitest';
import { formatElapsed, formatTick, formatValue } from './units.ts';

describe('formatValue', () => {
  it('keeps counts of whole seconds exact and rounds averages', () => {
    expect(formatValue(10_084, 'perSecond')).toBe('10,084/s');
    expect(formatValue(1_234.56, 'perSecond')).toBe('1,230/s');
  });

  it('says that a value is not known, never 0', () => {
    expect(formatValue(null, 'ms')).toBe('unknown');
  });

  it('says times in ms below a second', () => {
    expect(formatValue(49.04, 'ms')).toBe('49 ms');
    expect(formatValue(2_500, 'ms')).toBe('2.5 s');
  });
});

describe('formatTick', () => {
  it('is short', () => {
    expect(formatTick(2_500_000, 'count')).toBe('2.5 M');
    expect(formatTick(0, 'ms')).toBe('0');
  });
});

describe('formatElapsed', () => {
  it('reads like a stopwatch', () => {
    expect([5, 65.9, 760, 3_725].map(formatElapsed)).toEqual(['0:05', '1:05', '12:40', '1:02:05']);
  });
});
