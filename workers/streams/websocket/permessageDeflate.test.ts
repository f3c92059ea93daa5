import { once } from 'node:events';
import { constants, createDeflateRaw, type DeflateRaw, inflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAgreedDeflate, deflateMessage, deflateOffer, Inflater, LEAN_OFFER } from './permessageDeflate.ts';
import { BROWSER_OFFER } from './testing/browserOffer.ts';
import { NO_CONTEXT, packed } from './testing/serverFrames.ts';

const KEEPS = { ...NO_CONTEXT, serverKeepsContext: true };
const EXTENSION_NAME = 'permessage-deflate';

describe('deflateOffer', () => {
  it.each([
    [LEAN_OFFER, `${EXTENSION_NAME}; server_no_context_takeover; client_no_context_takeover; client_max_window_bits`],
    [BROWSER_OFFER, `${EXTENSION_NAME}; client_max_window_bits`],
    [{ ...LEAN_OFFER, serverNoContextTakeover: false, clientMaxWindowBits: null }, `${EXTENSION_NAME}; client_no_context_takeover`],
    [
      { serverNoContextTakeover: false, clientNoContextTakeover: false, serverMaxWindowBits: 10, clientMaxWindowBits: 12 },
      `${EXTENSION_NAME}; server_max_window_bits=10; client_max_window_bits=12`,
    ],
  ])('%j', (offer, text) => {
    expect(deflateOffer(offer)).toBe(text);
  });
});

describe('parseAgreedDeflate', () => {
  const both = 'server_no_context_takeover; client_no_context_takeover';
  const agreed = (serverKeepsContext: boolean, serverWindowBits = 15, clientWindowBits = 15) => ({
    serverKeepsContext,
    serverWindowBits,
    clientWindowBits,
  });

  it.each([
    ['', LEAN_OFFER, null],
    [' \t, ,', LEAN_OFFER, null],
    ['', null, null],
    [`${EXTENSION_NAME}; ${both}`, LEAN_OFFER, agreed(false)],
    [`${EXTENSION_NAME};server_no_context_takeover`, LEAN_OFFER, agreed(false)],
    [` ${EXTENSION_NAME} ; server_no_context_takeover ;client_max_window_bits = 9 ,`, LEAN_OFFER, agreed(false, 15, 9)],
    [`\n${EXTENSION_NAME}; server_no_context_takeover; server_max_window_bits=8`, LEAN_OFFER, agreed(false, 8)],
    [EXTENSION_NAME, BROWSER_OFFER, agreed(true)],
    [`${EXTENSION_NAME}; ${both}`, BROWSER_OFFER, agreed(false)],
    [`${EXTENSION_NAME}; server_max_window_bits="12"; client_max_window_bits="15"`, BROWSER_OFFER, agreed(true, 12)],
    [`${EXTENSION_NAME}; server_max_window_bits=10`, { ...BROWSER_OFFER, serverMaxWindowBits: 10 }, agreed(true, 10)],
    [`${EXTENSION_NAME}; server_max_window_bits=9`, { ...BROWSER_OFFER, serverMaxWindowBits: 10 }, agreed(true, 9)],
    [EXTENSION_NAME, { ...BROWSER_OFFER, clientMaxWindowBits: 10 }, agreed(true, 15, 10)],
    [`${EXTENSION_NAME}; client_max_window_bits=10`, { ...BROWSER_OFFER, clientMaxWindowBits: 10 }, agreed(true, 15, 10)],
  ])('%j', (text, offer, agreement) => {
    expect(parseAgreedDeflate(text, offer)).toEqual(agreement);
  });

  it.each([
    ['an agreement without an offer', EXTENSION_NAME, null],
    ['another extension', 'x-webkit-deflate-frame', BROWSER_OFFER],
    ['two extensions', `${EXTENSION_NAME}, ${EXTENSION_NAME}`, BROWSER_OFFER],
    ['another extension beside it', `${EXTENSION_NAME}, mux`, BROWSER_OFFER],
    ['the extension in two lines', `${EXTENSION_NAME}\n${EXTENSION_NAME}`, BROWSER_OFFER],
    ['an extension without a name', `; ${EXTENSION_NAME}`, BROWSER_OFFER],
    ['an unknown parameter', `${EXTENSION_NAME}; fast`, BROWSER_OFFER],
    ['a parameter without a name', `${EXTENSION_NAME};`, BROWSER_OFFER],
    ['the parameter __proto__', `${EXTENSION_NAME}; __proto__`, BROWSER_OFFER],
    ['a repeated parameter', `${EXTENSION_NAME}; server_no_context_takeover; server_no_context_takeover`, BROWSER_OFFER],
    ['two window sizes', `${EXTENSION_NAME}; server_max_window_bits=10; server_max_window_bits=11`, BROWSER_OFFER],
    ['a value for a parameter without values', `${EXTENSION_NAME}; server_no_context_takeover=true`, BROWSER_OFFER],
    ['an empty value', `${EXTENSION_NAME}; client_no_context_takeover=`, BROWSER_OFFER],
    ['a missing value', `${EXTENSION_NAME}; server_max_window_bits`, BROWSER_OFFER],
    ['a client window without a size', `${EXTENSION_NAME}; client_max_window_bits`, BROWSER_OFFER],
    ['a window size that is too small', `${EXTENSION_NAME}; server_max_window_bits=7`, BROWSER_OFFER],
    ['a window size that is too large', `${EXTENSION_NAME}; server_max_window_bits=16`, BROWSER_OFFER],
    ['a window size with a leading zero', `${EXTENSION_NAME}; server_max_window_bits=08`, BROWSER_OFFER],
    ['a window size that is no integer', `${EXTENSION_NAME}; server_max_window_bits=1e1`, BROWSER_OFFER],
    ['a window size with an unclosed quote', `${EXTENSION_NAME}; server_max_window_bits="10`, BROWSER_OFFER],
    [
      'a client window that was not offered',
      `${EXTENSION_NAME}; client_max_window_bits=10`,
      { ...BROWSER_OFFER, clientMaxWindowBits: null },
    ],
    ['a client window larger than offered', `${EXTENSION_NAME}; client_max_window_bits=11`, { ...BROWSER_OFFER, clientMaxWindowBits: 10 }],
    [
      'a server window larger than requested',
      `${EXTENSION_NAME}; server_max_window_bits=11`,
      { ...BROWSER_OFFER, serverMaxWindowBits: 10 },
    ],
    ['a missing server window that was requested', EXTENSION_NAME, { ...BROWSER_OFFER, serverMaxWindowBits: 10 }],
    ['context takeover that was refused', EXTENSION_NAME, LEAN_OFFER],
  ])('refuses %s', (_what, text, offer) => {
    expect(parseAgreedDeflate(text, offer)).toBe('WS_BAD_EXTENSION');
  });
});

/** Compresses messages as a server with context takeover does. */
class ServerDeflate {
  private readonly stream: DeflateRaw;

  constructor(windowBits: number) {
    this.stream = createDeflateRaw({ windowBits });
  }

  async pack(message: Buffer): Promise<Buffer> {
    this.stream.write(message);
    await new Promise<void>((resolve) => {
      this.stream.flush(constants.Z_SYNC_FLUSH, () => resolve());
    });
    const chunks: Buffer[] = [];
    for (let chunk: unknown = this.stream.read(); chunk !== null; chunk = this.stream.read())
      if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    return Buffer.concat(chunks).subarray(0, -4);
  }

  async close(): Promise<void> {
    this.stream.close();
    await once(this.stream, 'close');
  }
}

/** Repetitive messages that are up to several windows long. */
const repetitive = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.nat(4_000), fc.nat(255)), { minLength: 1, maxLength: 12 })
  .map((parts) => Buffer.concat(parts.map(([kind, length, byte]) => partOf(kind, length, byte))));

function partOf(kind: number, length: number, byte: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, at) => (kind === 0 ? byte : kind === 1 ? at : Math.imul(at + byte, 2_654_435_761) >>> 24)));
}

const inflateAll = (inflater: Inflater, bytes: Buffer): unknown => inflater.inflate(bytes, 0, bytes.length);

describe('Inflater', () => {
  it('decompresses messages with context takeover, for any window size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(repetitive, { minLength: 1, maxLength: 5 }), fc.integer({ min: 8, max: 15 }), async (messages, bits) => {
        const server = new ServerDeflate(bits);
        const inflater = new Inflater({ ...KEEPS, serverWindowBits: bits }, 1_000_000);
        for (const message of messages) {
          const bytes = await server.pack(message);
          const unpacked = inflateAll(inflater, bytes);
          expect(Buffer.isBuffer(unpacked) && unpacked.equals(message)).toBe(true);
        }
        await server.close();
      }),
      { numRuns: 150 },
    );
  });

  it('decompresses the example of RFC 7692, section 7.2.3.2, whose second message refers to the first', () => {
    const inflater = new Inflater(KEEPS, 100);
    expect(inflateAll(inflater, Buffer.from('f248cdc9c90700', 'hex'))).toEqual(Buffer.from('Hello'));
    expect(inflateAll(inflater, Buffer.from('f200110000', 'hex'))).toEqual(Buffer.from('Hello'));
    const forgetful = new Inflater(NO_CONTEXT, 100);
    inflateAll(forgetful, Buffer.from('f248cdc9c90700', 'hex'));
    expect(inflateAll(forgetful, Buffer.from('f200110000', 'hex'))).toBe('WS_BAD_DEFLATE');
  });

  it('is shared by all connections if there is no context takeover', () => {
    const inflater = new Inflater(NO_CONTEXT, 1_000_000);
    fc.assert(
      fc.property(repetitive, (message) => {
        expect(inflateAll(inflater, packed(message))).toEqual(message);
      }),
    );
    // These are two streams, where the second may refer to the first.
    expect(inflateAll(inflater, Buffer.from('f348cdc9c90700f200110000', 'hex'))).toEqual(Buffer.from('HelloHello'));
    expect(kept(inflater)).toBe(0);
  });

  it('keeps at most one window', () => {
    const inflater = new Inflater({ ...KEEPS, serverWindowBits: 10 }, 1_000_000);
    const keptAfter = [100, 1_000, 100_000, 5].map((length) => {
      inflateAll(inflater, packed(Buffer.alloc(length, 'x')));
      return kept(inflater);
    });
    expect(keptAfter).toEqual([100, 1_024, 1_024, 1_024]);
  });

  it('limits the decompressed size of one stream, and of several streams together', () => {
    const inflater = new Inflater(NO_CONTEXT, 1_000);
    expect(inflateAll(inflater, packed(Buffer.alloc(1_000)))).toHaveLength(1_000);
    for (const length of [1_001, 1_024, 1_025, 10_000_000]) expect(inflateAll(inflater, packed(Buffer.alloc(length)))).toBe('WS_TOO_LARGE');
    // The first of the two streams uses up the limit.
    const two = Buffer.concat([Buffer.from('f348cdc9c90700', 'hex'), packed('!')]);
    expect(inflateAll(new Inflater(NO_CONTEXT, 6), two)).toEqual(Buffer.from('Hello!'));
    expect(inflateAll(new Inflater(NO_CONTEXT, 5), two)).toBe('WS_TOO_LARGE');
  });
});

/** Returns the number of bytes of all memory that an inflater references. */
function kept(inflater: Inflater): number {
  return Object.values(inflater)
    .filter((part) => Buffer.isBuffer(part))
    .reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}

describe('deflateMessage', () => {
  it('compresses each message separately within the agreed window', () => {
    fc.assert(
      fc.property(repetitive, fc.integer({ min: 8, max: 15 }), (message, bits) => {
        const bytes = deflateMessage(message, { ...NO_CONTEXT, clientWindowBits: bits });
        const whole = Buffer.concat([bytes, Buffer.from('0000ffff', 'hex')]);
        // Chunks are small, because otherwise zlib uses more than the window.
        const options = { windowBits: bits, chunkSize: 64, finishFlush: constants.Z_SYNC_FLUSH };
        expect(inflateRawSync(whole, options).equals(message)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('compresses an empty message to one byte', () => {
    expect(deflateMessage(Buffer.alloc(0), NO_CONTEXT)).toEqual(Buffer.of(0));
  });
});
