import { describe, expect, it } from 'vitest';
import { shareWords } from './ledger.ts';

describe('shareWords', () => {
  it('says rare shares as 1 in so many, and nearly all by what is missing', () => {
    expect(shareWords(10, 20_000)).toBe('1 in 2,000');
    expect(shareWords(37_480, 37_512)).toBe('all but 1 in 1,170');
    expect(shareWords(1, 2)).toBe('50 %');
    expect(shareWords(5, 5)).toBe('100 %');
  });

  it('is silent about nothing', () => {
    expect(shareWords(0, 10)).toBe('');
    expect(shareWords(0, 0)).toBe('');
  });
});
