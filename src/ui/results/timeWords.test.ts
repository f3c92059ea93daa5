import { describe, expect, it } from 'vitest';
import { figureWords, percentileWords } from './timeWords.ts';

describe('percentileWords', () => {
  it('says how many got no good answer instead of a number that does not exist', () => {
    expect(percentileWords('never', 95)).toBe('more than 1 in 20 got no good answer');
    expect(percentileWords('never', 99.9)).toBe('more than 1 in 1,000 got no good answer');
    expect(percentileWords('never', 50)).toBe('more than 50 % got no good answer');
    expect(percentileWords('never', 100)).toBe('at least one got no good answer');
  });

  it('never turns what is not known into 0', () => {
    expect(percentileWords(null, 95)).toBe('not known');
    expect(percentileWords(0, 95)).toBe('0 ms');
    expect(percentileWords(1_500, 95)).toBe('1.5 s');
  });
});

describe('figureWords', () => {
  it('is endless when anything in it is', () => {
    expect(figureWords('never')).toBe('some got no good answer');
    expect(figureWords(null)).toBe('not known');
  });
});
