import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineReader } from './lineReader.ts';

it('LineReader returns the same lines however they are split', () => {
  const text = fc.array(fc.string({ unit: fc.constantFrom('a', 'ß', '…', ' '), maxLength: 20 }), { maxLength: 20 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(40), { maxLength: 60 }), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const reader = new LineReader(1_000);
      const read: string[] = [];
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        read.push(...reader.take(bytes.subarray(at, at + cut)));
        at = Math.min(bytes.length, at + cut);
      }
      read.push(...reader.take(bytes.subarray(at)));
      expect(read).toEqual(lines);
    }),
  );
});

it('LineReader rejects a line over its limit', () => {
  const reader = new LineReader(10);
  expect(reader.take(Buffer.from('12345\n1234567890'))).toEqual(['12345']);
  expect(() => reader.take(Buffer.from('1'))).toThrow(RangeError);
});
