import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FULL_TIMESTAMP_LENGTH, pythonTimestamp } from './layout.ts';

const NOW_MS = 1_414_000_000_000;

describe('pythonTimestamp', () => {
  it('prints 12 significant digits without trailing zeros, and one decimal zero for a whole second', () => {
    expect(pythonTimestamp(NOW_MS + 120)).toBe('1414000000.12');
    expect(pythonTimestamp(NOW_MS + 100)).toBe('1414000000.1');
    expect(pythonTimestamp(NOW_MS)).toBe('1414000000.0');
    expect(pythonTimestamp(NOW_MS + 54)).toBe('1414000000.05');
    expect(pythonTimestamp(NOW_MS + 996)).toBe('1414000001.0');
  });

  it('prints one byte less for exactly 10 % of consecutive hundredths of a second', () => {
    const lengths = Array.from({ length: 1_000 }, (_, index) => pythonTimestamp(NOW_MS + index * 10).length);
    expect(lengths.filter((length) => length === FULL_TIMESTAMP_LENGTH - 1)).toHaveLength(100);
    expect(lengths.filter((length) => length === FULL_TIMESTAMP_LENGTH)).toHaveLength(900);
  });

  it('prints the time to a hundredth of a second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_300_000_000_000, max: 4_000_000_000_000 }), (epochMs) => {
        expect(Math.abs(Number(pythonTimestamp(epochMs)) * 1_000 - epochMs)).toBeLessThanOrEqual(5.01);
      }),
    );
  });
});
