import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteText, hex } from '../testing/fields.ts';
import { decodeHuffman, encodeHuffman, huffmanBytes } from './huffman.ts';

function encoded(text: string): Buffer {
  const target = Buffer.alloc(text.length * 4 + 4, 0xee);
  const end = encodeHuffman(text, target, 3);
  expect(end - 3).toBe(huffmanBytes(text));
  expect(target[end]).toBe(0xee);
  return target.subarray(3, end);
}

const decoded = (bytes: Buffer): string | null => decodeHuffman(Buffer.concat([hex('00'), bytes, hex('00')]), 1, bytes.length + 1);

describe('Huffman code', () => {
  it('round-trips every byte', () => {
    for (let byte = 0; byte < 256; byte += 1) {
      const letter = String.fromCharCode(byte);
      for (const text of [letter, letter.repeat(2), letter.repeat(9), `a${letter}`, `${letter}\u00ff`]) {
        expect(decoded(encoded(text))).toBe(text);
      }
    }
  });

  it('round-trips random strings', () => {
    fc.assert(
      fc.property(byteText(400), (text) => {
        expect(decoded(encoded(text))).toBe(text);
      }),
    );
  });

  it.each([
    ['www.example.com', 'f1e3c2e5f23a6ba0ab90f4ff'],
    ['no-cache', 'a8eb10649cbf'],
    ['Mon, 21 Oct 2013 20:13:21 GMT', 'd07abe941054d444a8200595040b8166e082a62d1bff'],
    ['\u0000', 'ffc7'],
    ['\n', 'fffffff3'],
    ['', ''],
  ])('matches the RFC for %j', (text, bytes) => {
    expect(encoded(text).toString('hex')).toBe(bytes);
    expect(decoded(hex(bytes))).toBe(text);
  });

  it.each([
    ['eight ones after the last character', '1fff'],
    ['eight ones alone', 'ff'],
    ['padding of zeros', '18'],
    ['padding with one zero', '1e'],
    ['a code that is cut off', 'ffffff'],
    ['the end of a string', 'fffffffc'],
    ['the end-of-string symbol before a character', 'fffffffc7f'],
    ['the end-of-string symbol after a character', '1fffffffff'],
  ])('is refused with %s', (_what, bytes) => {
    expect(decoded(hex(bytes))).toBeNull();
  });

  it('either refuses bytes, or decodes them to a string that is encoded to the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (array) => {
        const bytes = Buffer.from(array);
        const text = decoded(bytes);
        if (text !== null) expect(encoded(text)).toEqual(bytes);
      }),
      { numRuns: 2_000 },
    );
  });
});
