import { describe, expect, it } from 'vitest';
import { shareWords } from './requestOutcomes.ts';

describe('shareWords', () => {
  it('formats percentages; shares near 100 % get enough digits to show the missing part', () => {
    expect(shareWords(10, 20_000)).toBe('0.05 %');
    expect(shareWords(37_480, 37_512)).toBe('99.91 %');
    expect(shareWords(1, 2)).toBe('50 %');
    expect(shareWords(5, 5)).toBe('100 %');
  });

  it('returns an empty text for nothing', () => {
    expect(shareWords(0, 10)).toBe('');
    expect(shareWords(0, 0)).toBe('');
  });
});
