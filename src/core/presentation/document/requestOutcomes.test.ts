import { describe, expect, it } from 'vitest';
import { formatPartOfWhole } from './requestOutcomes.ts';

describe('formatPartOfWhole', () => {
  it('formats percentages, and gives shares near 100 % enough digits to show the missing part', () => {
    expect(formatPartOfWhole(10, 20_000)).toBe('0.05 %');
    expect(formatPartOfWhole(37_480, 37_512)).toBe('99.91 %');
    expect(formatPartOfWhole(1, 2)).toBe('50 %');
    expect(formatPartOfWhole(5, 5)).toBe('100 %');
  });

  it('returns an empty text for nothing', () => {
    expect(formatPartOfWhole(0, 10)).toBe('');
    expect(formatPartOfWhole(0, 0)).toBe('');
  });
});
