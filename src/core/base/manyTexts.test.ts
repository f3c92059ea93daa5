import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MultiTextSearch } from './manyTexts.ts';

const searchFor = (texts: readonly string[]): MultiTextSearch => {
  const search = new MultiTextSearch();
  for (const text of texts) search.add(text);
  return search;
};

it('MultiTextSearch: finds the same places as a search for each text', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 8 }), fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 }), (texts, text) => {
      const covered = new Set<number>();
      for (const one of texts.filter((each) => each !== ''))
        for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1))
          for (let index = 0; index < one.length; index += 1) covered.add(at + index);
      const found = searchFor(texts).find(text);
      const places = found.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index));
      expect(new Set(places)).toEqual(covered);
      expect(places.length).toBe(covered.size);
      for (const one of found) expect(text.slice(one.from, one.to)).toContain(one.text);
    }),
  );
});

it('MultiTextSearch: reports the longest of overlapping texts', () => {
  expect(searchFor(['pass-1', 'pass-12', 'no']).find('pass-12, pass-1, no')).toEqual([
    { from: 0, to: 7, text: 'pass-12' },
    { from: 9, to: 15, text: 'pass-1' },
    { from: 17, to: 19, text: 'no' },
  ]);
});
