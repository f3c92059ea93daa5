import { describe, expect, it } from 'vitest';
import { formatElapsed, formatTick, formatValue } from './units.ts';

describe('formatValue', () => {
  it('keeps counts of whole seconds exact and rounds means', () => {
    expect(formatValue(10_084, 'perSecond')).toBe('10,084/s');
    expect(formatValue(1_234.56, 'perSecond')).toBe('1,230/s');
  });

  it('shows an unknown value as unknown, never as 0', () => {
    expect(formatValue(null, 'ms')).toBe('unknown');
  });

  it('shows times below a second in ms', () => {
    expect(formatValue(49.04, 'ms')).toBe('49 ms');
    expect(formatValue(2_500, 'ms')).toBe('2.5 s');
  });
});

describe('formatTick', () => {
  it('returns short labels', () => {
    expect(formatTick(2_500_000, 'count')).toBe('2.5 M');
    expect(formatTick(0, 'ms')).toBe('0');
  });
});

describe('formatElapsed', () => {
  it('returns minutes and seconds', () => {
    expect([5, 65.9, 760, 3_725].map(formatElapsed)).toEqual(['0:05', '1:05', '12:40', '1:02:05']);
  });
});
