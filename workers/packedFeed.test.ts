import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packedFeedSchema, packFeed, valueAt } from './messages.ts';

it('packed feed: returns every value unchanged, whatever its characters', () => {
  const value = fc.string({ unit: 'grapheme', maxLength: 20 });
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { maxLength: 20 }), (rows) => {
      const packed = packFeed({ columns: ['user', 'password'], rows, order: 'sequential' });
      expect(packedFeedSchema.parse(packed).rowCount).toBe(rows.length);
      for (const [row, [user, password]] of rows.entries())
        expect([valueAt(packed, row, 'user'), valueAt(packed, row, 'password')]).toEqual([user, password]);
      expect(valueAt(packed, rows.length, 'user')).toBeNull();
      expect(valueAt(packed, 0, 'mail')).toBeNull();
    }),
  );
});

it('packed feed: shares one buffer between all threads', () => {
  const packed = packFeed({ columns: ['user'], rows: [['ann'], ['bob']], order: 'once' });
  const inThread = structuredClone(packed);
  expect(inThread.text.buffer).toBeInstanceOf(SharedArrayBuffer);
  packed.text.fill('x'.charCodeAt(0));
  expect(valueAt(inThread, 1, 'user')).toBe('xxx');
});
