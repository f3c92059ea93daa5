import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Needles } from './needles.ts';

describe('Needles', () => {
  it('finds the same needles as String.includes', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '€', '😀'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 30 }), fc.array(letters, { maxLength: 20 }), letters, (needles, parts, other) => {
        const owner = { text: parts.join('') };
        const found = new Needles(needles);
        for (const needle of [...needles, other]) expect(found.isIn(owner, needle)).toBe(owner.text.includes(needle));
      }),
    );
  });

  it('finds nothing in an exchange without text', () => {
    expect(new Needles(['token']).isIn({ text: null }, 'token')).toBe(false);
  });
});
