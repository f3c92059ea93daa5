import { describe, expect, it } from 'vitest';
import { HpackDecoder } from './hpackDecoder.ts';
import { HpackEncoder } from './hpackEncoder.ts';

const field = (name: string, value: string) => ({ name, value });
const toHex = (encoder: HpackEncoder, ...fields: { name: string; value: string }[]): string => encoder.encode(fields).toString('hex');

describe('HpackEncoder fields', () => {
  it('are indexed from the second use on', () => {
    const encoder = new HpackEncoder();
    expect(toHex(encoder, field('x', '!'))).toBe('4001780121');
    expect(toHex(encoder, field('x', '!'))).toBe('be');
    expect(toHex(encoder, field('x', '?'))).toBe('7e013f');
    expect(toHex(encoder, field('x', '!'), field('x', '?'))).toBe('bfbe');
  });

  it.each(['authorization', 'set-cookie'])('are never indexed if they are secret: %s', (name) => {
    const encoder = new HpackEncoder();
    const before = encoder.generation;
    const first = encoder.encode([field(name, 'secret')]);
    expect((first[0] ?? 0) & 0xf0).toBe(0x10);
    expect(encoder.encode([field(name, 'secret')])).toEqual(first);
    expect(encoder.generation).toBe(before);
  });

  it('are not inserted if they would fill half the table', () => {
    const encoder = new HpackEncoder(200);
    encoder.encode([]);
    const before = encoder.generation;
    expect(toHex(encoder, field('x', '!'.repeat(68)))).toMatch(/^000178/);
    expect(encoder.generation).toBe(before);
    encoder.encode([field('x', '!'.repeat(67))]);
    expect(encoder.generation).toBeGreaterThan(before);
  });

  it('use the Huffman code only if it is shorter', () => {
    expect(toHex(new HpackEncoder(), field('aa', '!'))).toBe('400261610121');
    expect(toHex(new HpackEncoder(), field('aaa', '!'))).toBe('408218c70121');
  });
});

describe('the table size of HpackEncoder', () => {
  it('is announced once if it is not the default', () => {
    const encoder = new HpackEncoder(100);
    expect(toHex(encoder)).toBe('3f45');
    expect(toHex(encoder)).toBe('');
    expect(toHex(new HpackEncoder())).toBe('');
    expect(toHex(new HpackEncoder(8_192))).toBe('');
  });

  it("follows the peer's limit, and the smallest size is announced first", () => {
    const encoder = new HpackEncoder();
    encoder.encode([field('x', '!')]);
    encoder.setMaxTableBytes(20);
    encoder.setMaxTableBytes(0);
    encoder.setMaxTableBytes(100);
    expect(toHex(encoder, field('x', '!'))).toBe('203f454001780121');
    encoder.setMaxTableBytes(8_192);
    expect(toHex(encoder, field('x', '!'))).toBe('3fe11fbe');
    encoder.setMaxTableBytes(1_000_000);
    expect(toHex(encoder, field('x', '!'))).toBe('be');
  });

  it("changes the table's generation when it is set and when it is announced", () => {
    const encoder = new HpackEncoder();
    encoder.encode([field('x', '!')]);
    const before = encoder.generation;
    encoder.setMaxTableBytes(2_000);
    const waiting = encoder.generation;
    encoder.encode([field('x', '!')]);
    expect(new Set([before, waiting, encoder.generation]).size).toBe(3);
  });

  it('may be 0', () => {
    const encoder = new HpackEncoder(0);
    const decoder = new HpackDecoder({ maxTableBytes: 4_096, maxListBytes: 4_096 });
    for (let times = 0; times < 3; times += 1) {
      const block = encoder.encode([field('x', '!'), field(':method', 'GET')]);
      expect(decoder.decode(block, 0, block.length)).toBeNull();
      expect(decoder.fields).toEqual([field('x', '!'), field(':method', 'GET')]);
    }
  });
});
