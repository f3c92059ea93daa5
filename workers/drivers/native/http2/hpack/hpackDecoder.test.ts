import { describe, expect, it } from 'vitest';
import { hex } from '../testing/fields.ts';
import { type Field, HpackDecoder, type HpackRefusal } from './hpackDecoder.ts';

const LIMITS = { maxTableBytes: 4_096, maxListBytes: 4_096 };

function decode(decoder: HpackDecoder, block: string): HpackRefusal | readonly Field[] {
  const bytes = hex(block);
  return decoder.decode(bytes, 0, bytes.length) ?? decoder.fields;
}

/** Encodes a literal with a new name that is inserted into the table, without the Huffman code. */
const inserted = (name: string, value: string): string =>
  Buffer.concat([Buffer.of(0x40, name.length), Buffer.from(name), Buffer.of(value.length), Buffer.from(value)]).toString('hex');

describe('HpackDecoder refuses a block', () => {
  it.each([
    ['index 0', '80'],
    ['an index above the tables', 'be'],
    ['an index far above the tables', 'ffffff7f'],
    ['a name index above the tables', '7e0161'],
    ['an unterminated integer', 'ff80'],
    ['an integer without its last byte', 'ff'],
    ['a number above 2^28', 'ffffffffff7f'],
    ['an endless integer of zeros', 'ff808080808000'],
    ['a string that is longer than the block', '4003616263056162'],
    ['a name without a value', '400161'],
    ['a name that is longer than the block', '4005'],
    ['an empty name without a value', '4000'],
    ['a string in a wrong Huffman code', '4001618118'],
    ['a table size above the limit', '3fe21f'],
    ['a table size update after a field', '8220'],
    ['an unterminated table size update', '3f'],
  ])('for %s', (_what, block) => {
    expect(decode(new HpackDecoder(LIMITS), block)).toBe('COMPRESSION_ERROR');
    expect(decode(new HpackDecoder(LIMITS), `82${block}`)).toBe('COMPRESSION_ERROR');
  });

  it('above the list limit, and keeps the table correct', () => {
    const decoder = new HpackDecoder({ maxTableBytes: 4_096, maxListBytes: 110 });
    expect(decode(decoder, inserted('a', 'b') + inserted('c', 'd') + inserted('e', 'f'))).toHaveLength(3);
    expect(decode(decoder, `${inserted('g', 'h')}bebebe`)).toBe('HEADER_LIST_TOO_LARGE');
    expect(decoder.fields).toEqual([]);
    expect(decode(decoder, 'bec1')).toEqual([
      { name: 'g', value: 'h' },
      { name: 'a', value: 'b' },
    ]);
  });
});

describe('dynamic table of HpackDecoder', () => {
  it('may shrink and grow before the first field', () => {
    const decoder = new HpackDecoder(LIMITS);
    decode(decoder, inserted('a', 'b'));
    expect(decode(decoder, '203fe11f')).toEqual([]);
    expect(decode(decoder, 'be')).toBe('COMPRESSION_ERROR');
  });

  it('is emptied by a field larger than the table', () => {
    const decoder = new HpackDecoder({ maxTableBytes: 64, maxListBytes: 4_096 });
    decode(decoder, inserted('a', 'b'));
    expect(decode(decoder, inserted('c', 'd'.repeat(40)))).toHaveLength(1);
    expect(decode(decoder, 'be')).toBe('COMPRESSION_ERROR');
  });

  it('provides the name of a field whose insertion evicts it', () => {
    const decoder = new HpackDecoder({ maxTableBytes: 64, maxListBytes: 4_096 });
    decode(decoder, inserted('a', 'b'));
    expect(decode(decoder, '7e0163')).toEqual([{ name: 'a', value: 'c' }]);
    expect(decode(decoder, 'be')).toEqual([{ name: 'a', value: 'c' }]);
  });
});

describe('HpackDecoder with a repeated block', () => {
  it('returns the same array and repeats the insertions', () => {
    const decoder = new HpackDecoder(LIMITS);
    const block = '885f0161';
    const first = decode(decoder, block);
    expect(first).toEqual([
      { name: ':status', value: '200' },
      { name: 'content-type', value: 'a' },
    ]);
    for (let times = 0; times < 3; times += 1) expect(decode(decoder, block)).toBe(first);
    expect(decode(decoder, 'bebfc0c1')).toHaveLength(4);
    expect(decode(decoder, 'c2')).toBe('COMPRESSION_ERROR');
  });

  it('returns the same array for indexed fields until the table changes', () => {
    const decoder = new HpackDecoder(LIMITS);
    decode(decoder, inserted('a', 'b'));
    const first = decode(decoder, '88be');
    expect(decode(decoder, '88be')).toBe(first);
    decode(decoder, inserted('c', 'd'));
    expect(decode(decoder, '88be')).toEqual([
      { name: ':status', value: '200' },
      { name: 'c', value: 'd' },
    ]);
  });

  it('does not confuse parts of a buffer with other blocks', () => {
    const decoder = new HpackDecoder(LIMITS);
    const bytes = hex('8882888482');
    const namesIn = (start: number, end: number): string[] => {
      expect(decoder.decode(bytes, start, end)).toBeNull();
      return decoder.fields.map(({ name }) => name);
    };
    expect(namesIn(0, 2)).toEqual([':status', ':method']);
    expect(namesIn(2, 4)).toEqual([':status', ':path']);
    expect(namesIn(2, 5)).toEqual([':status', ':path', ':method']);
    expect(namesIn(4, 5)).toEqual([':method']);
    expect(namesIn(5, 5)).toEqual([]);
  });
});
