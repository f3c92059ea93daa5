import { constants, deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Inflater, parseAgreedWindow } from './permessageDeflate.ts';
import { MAX_WINDOW_BITS, packed } from './testing/serverFrames.ts';

const EXTENSION = 'permessage-deflate; server_no_context_takeover';

describe('parseAgreedWindow', () => {
  it.each([
    ['', null],
    [' \t, ,', null],
    [`${EXTENSION}; client_no_context_takeover`, 15],
    ['permessage-deflate;server_no_context_takeover', 15],
    [' permessage-deflate ; server_no_context_takeover ;client_max_window_bits = 9 ,', 15],
    [`\n${EXTENSION}; server_max_window_bits=8`, 8],
    [`${EXTENSION}; server_max_window_bits="12"; client_max_window_bits="15"`, 12],
  ])('parses %j as %j', (text, windowBits) => {
    expect(parseAgreedWindow(text)).toEqual(windowBits);
  });

  it.each([
    ['another extension', 'x-webkit-deflate-frame; server_no_context_takeover'],
    ['two extensions', `${EXTENSION}, ${EXTENSION}`],
    ['another extension beside it', `${EXTENSION}, mux`],
    ['the extension in two lines', `${EXTENSION}\n${EXTENSION}`],
    ['an extension without a name', `; ${EXTENSION}`],
    ['an unknown parameter', `${EXTENSION}; fast`],
    ['a parameter without a name', `${EXTENSION};`],
    ['the parameter __proto__', `${EXTENSION}; __proto__`],
    ['a repeated parameter', `${EXTENSION}; server_no_context_takeover`],
    ['two window sizes', `${EXTENSION}; server_max_window_bits=10; server_max_window_bits=11`],
    ['a value for a parameter without values', 'permessage-deflate; server_no_context_takeover=true'],
    ['an empty value', `${EXTENSION}; client_no_context_takeover=`],
    ['a missing value', `${EXTENSION}; server_max_window_bits`],
    ['a client window without a size', `${EXTENSION}; client_max_window_bits`],
    ['a window size that is too small', `${EXTENSION}; server_max_window_bits=7`],
    ['a window size that is too large', `${EXTENSION}; server_max_window_bits=16`],
    ['a window size with a leading zero', `${EXTENSION}; server_max_window_bits=08`],
    ['a window size that is no integer', `${EXTENSION}; server_max_window_bits=1e1`],
    ['a window size with an unclosed quote', `${EXTENSION}; server_max_window_bits="10`],
    ['context takeover', 'permessage-deflate'],
  ])('refuses %s', (_what, text) => {
    expect(parseAgreedWindow(text)).toBe('WS_BAD_EXTENSION');
  });
});

/** Repetitive messages that are up to several windows long. */
const repetitive = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.nat(4_000), fc.nat(255)), { minLength: 1, maxLength: 12 })
  .map((parts) => Buffer.concat(parts.map(([kind, length, byte]) => partOf(kind, length, byte))));

function partOf(kind: number, length: number, byte: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, at) => (kind === 0 ? byte : kind === 1 ? at : Math.imul(at + byte, 2_654_435_761) >>> 24)));
}

const inflateAll = (inflater: Inflater, bytes: Buffer): unknown => inflater.inflate(bytes, 0, bytes.length);

describe('Inflater', () => {
  it('keeps nothing between messages', () => {
    const inflater = new Inflater(MAX_WINDOW_BITS, 100);
    expect(inflateAll(inflater, Buffer.from('f248cdc9c90700', 'hex'))).toEqual(Buffer.from('Hello'));
    // The second message of the example of RFC 7692, section 7.2.3.2, refers to the first.
    expect(inflateAll(inflater, Buffer.from('f200110000', 'hex'))).toBe('WS_BAD_DEFLATE');
  });

  it('decompresses messages of any size, for any window size', () => {
    fc.assert(
      fc.property(repetitive, fc.integer({ min: 9, max: 15 }), (message, windowBits) => {
        const bytes = deflateRawSync(message, { finishFlush: constants.Z_SYNC_FLUSH, windowBits }).subarray(0, -4);
        expect(inflateAll(new Inflater(windowBits, 1_000_000), bytes)).toEqual(message);
      }),
      { numRuns: 150 },
    );
  });

  it('decompresses several streams in one message', () => {
    const inflater = new Inflater(MAX_WINDOW_BITS, 1_000_000);
    expect(inflateAll(inflater, packed('Hello'))).toEqual(Buffer.from('Hello'));
    // These are two streams, where the second may refer to the first.
    expect(inflateAll(inflater, Buffer.from('f348cdc9c90700f200110000', 'hex'))).toEqual(Buffer.from('HelloHello'));
  });

  it('limits the decompressed size of one stream, and of several streams together', () => {
    const inflater = new Inflater(MAX_WINDOW_BITS, 1_000);
    expect(inflateAll(inflater, packed(Buffer.alloc(1_000)))).toHaveLength(1_000);
    for (const length of [1_001, 1_024, 1_025, 10_000_000]) expect(inflateAll(inflater, packed(Buffer.alloc(length)))).toBe('WS_TOO_LARGE');
    // The first of the two streams uses up the limit.
    const two = Buffer.concat([Buffer.from('f348cdc9c90700', 'hex'), packed('!')]);
    expect(inflateAll(new Inflater(MAX_WINDOW_BITS, 6), two)).toEqual(Buffer.from('Hello!'));
    expect(inflateAll(new Inflater(MAX_WINDOW_BITS, 5), two)).toBe('WS_TOO_LARGE');
  });
});
