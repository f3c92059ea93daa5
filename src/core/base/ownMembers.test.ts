import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addCount, type Counts } from './lists.ts';
import { getOrSetOwn, getOwn, setOwn } from './ownMembers.ts';

/** Every name that an object inherits, and some others. */
const name = fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype), 'a', 'b', '');

it('addCount: counts any names exactly as a Map does', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.integer({ min: 1, max: 9 }))), (counted) => {
      const counts: Counts = {};
      const sums = new Map<string, number>();
      for (const [of, count] of counted) {
        addCount(counts, of, count);
        sums.set(of, (sums.get(of) ?? 0) + count);
      }
      expect(new Map(Object.entries(counts))).toEqual(sums);
      const read: unknown = JSON.parse(JSON.stringify(counts));
      expect(new Map(Object.entries(read ?? {}))).toEqual(sums);
      expect(Object.getPrototypeOf(counts)).toBe(Object.prototype);
    }),
  );
});

it.each(['__proto__', 'constructor', 'toString'])('getOwn: returns undefined for %s before it is set', (inherited) => {
  const record: Record<string, string> = {};
  expect(getOwn(record, inherited)).toBeUndefined();
  expect(getOwn(undefined, inherited)).toBeUndefined();
  expect(getOrSetOwn(record, inherited, () => 'one')).toBe('one');
  setOwn(record, inherited, 'other');
  expect(getOwn(record, inherited)).toBe('other');
  expect(getOrSetOwn(record, inherited, () => 'third')).toBe('other');
  expect(Object.entries(record)).toEqual([[inherited, 'other']]);
});
