import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNumber, showNumber } from './numbers.ts';

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

  it('reads back what it shows, in every locale', () => {
    const locales = fc.constantFrom('en', 'de', 'fr', 'es', 'sv', 'de-CH', 'pt-BR');
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), locales, (number, locale) => {
        expect(parseNumber(showNumber(number, locale).replace('\u2212', '-'), locale)).toBe(number);
      }),
    );
  });
});
