import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNumber, showNumber, textFor } from './numbers.ts';

describe('textFor', () => {
  it('does not change text that is being entered', () => {
    expect(textFor(1.5, { value: 1, text: '1.50' })).toBe('1.50');
    expect(textFor('1.5x', { value: 1.5, text: '1.5x' })).toBe('1.5x');
  });
  it('rounds a value that was set from outside, and does not change it again', () => {
    const value = 80 / 3;
    const text = textFor(value, { value: 5, text: '5' });
    expect(text).toBe('26.667');
    expect(textFor(value, { value, text })).toBe(text);
  });
});

describe('parseNumber', () => {
  it.each([
    ['1,000', 'en', 1000],
    ['1.000', 'de', 1000],
    ['1,5', 'de', 1.5],
    ['1.5', 'en', 1.5],
    ['10 084', 'fr', 10084],
    ["10'084", 'de-CH', 10084],
    [' 60000 ', 'en', 60000],
    ['.5', 'en', 0.5],
    ['-3', 'en', -3],
  ])('reads %j in %s as %d', (text, locale, number) => {
    expect(parseNumber(text, locale)).toBe(number);
  });

  it.each(['', '  ', '7x', '1,0', '1e9', '--1', '.', 'ten', '1,00,000'])('refuses %j', (text) => {
    expect(parseNumber(text, 'en')).toBeNull();
  });

  it('reads a number back from its own text, in every locale', () => {
    const locales = fc.constantFrom('en', 'de', 'fr', 'es', 'sv', 'de-CH', 'pt-BR');
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), locales, (number, locale) => {
        expect(parseNumber(showNumber(number, locale).replace('\u2212', '-'), locale)).toBe(number);
      }),
    );
  });
});
