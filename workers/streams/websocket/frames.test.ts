import { describe, expect, it } from 'vitest';
import { FrameReader } from './frames.ts';
import { Inflater } from './permessageDeflate.ts';
import { CLOSES, MESSAGES, MessageLog, MAX_WINDOW_BITS, packed, readMessages, serverFrame } from './testing/serverFrames.ts';

const PING = serverFrame(0x89, 'behind');
const everyByte = (bytes: Buffer): number[] => Array.from(bytes.keys());
/** Returns all positions in a short message, or the positions around the frame heads in a long one. */
const listCuts = (bytes: Buffer): number[] => everyByte(bytes).filter((cut) => cut > 0 && (cut < 300 || cut > bytes.length - 20));
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('FrameReader reads frames split anywhere', () => {
  it.each(Object.entries(MESSAGES))('%s', (_name, { bytes, reported }) => {
    expect(readMessages(bytes)).toEqual(reported);
    for (const cut of listCuts(bytes)) expect(readMessages(bytes, [cut])).toEqual(reported);
    expect(readMessages(bytes, everyByte(bytes))).toEqual(reported);
    const twice = Buffer.concat([bytes, PING, bytes]);
    expect(readMessages(twice)).toEqual([...reported, 'ping behind', ...reported]);
  });

  it.each(Object.entries(CLOSES))('reads a close frame %s, and nothing after it', (_name, { bytes, reported }) => {
    const behind = Buffer.concat([bytes, PING]);
    for (const cut of everyByte(behind)) expect(readMessages(behind, [cut])).toEqual(reported);
    expect(readMessages(behind, everyByte(behind))).toEqual(reported);
  });

  it('reads all examples in a row', () => {
    const all = [...Object.values(MESSAGES), ...Object.values(CLOSES).slice(0, 1)];
    const bytes = Buffer.concat(all.map((example) => example.bytes));
    const reported = all.flatMap((example) => example.reported);
    expect(readMessages(bytes)).toEqual(reported);
    expect(readMessages(bytes, everyByte(bytes))).toEqual(reported);
    for (const step of [2, 3, 5, 7, 1_000, 65_536]) {
      expect(
        readMessages(
          bytes,
          everyByte(bytes).filter((cut) => cut % step === 0),
        ),
      ).toEqual(reported);
    }
  });
});

describe('FrameReader closes the connection', () => {
  it.each([
    ['the second reserved bit', hex('a100'), 'WS_RESERVED_BITS 1002'],
    ['the third reserved bit', hex('9100'), 'WS_RESERVED_BITS 1002'],
    ['a ping that is compressed', hex('c900'), 'WS_RESERVED_BITS 1002'],
    ['the compressed rest of a message', hex('0100 c000'), 'WS_RESERVED_BITS 1002'],
    ['an undefined message opcode', hex('8300'), 'WS_BAD_OPCODE 1002'],
    ['the last opcode of messages', hex('8700'), 'WS_BAD_OPCODE 1002'],
    ['an undefined control opcode', hex('8b00'), 'WS_BAD_OPCODE 1002'],
    ['the last opcode of all', hex('8f00'), 'WS_BAD_OPCODE 1002'],
    ['an HTTP response', Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), 'WS_RESERVED_BITS 1002'],
    ['a masked frame', hex('8185 37fa213d 7f9f4d5158'), 'WS_MASKED 1002'],
    ['a fragmented ping', hex('0900'), 'WS_BAD_CONTROL 1002'],
    ['a fragmented close frame', hex('0800'), 'WS_BAD_CONTROL 1002'],
    ['a ping of 126 bytes', serverFrame(0x89, 'x'.repeat(126)), 'WS_BAD_CONTROL 1002'],
    ['a ping of a long length', serverFrame(0x89, 'x', 8), 'WS_BAD_CONTROL 1002'],
    ['a continuation without a message', hex('8000'), 'WS_BAD_ORDER 1002'],
    ['a continuation after a complete message', hex('0100 8000 8000'), 'WS_BAD_ORDER 1002', 'text '],
    ['a text within a text', hex('0100 8100'), 'WS_BAD_ORDER 1002'],
    ['bytes within a text', hex('0100 0200'), 'WS_BAD_ORDER 1002'],
    ['125 bytes with a length in two bytes', serverFrame(0x81, 'x'.repeat(125), 2), 'WS_BAD_LENGTH 1002'],
    ['a short length written in eight bytes', serverFrame(0x81, 'x'.repeat(65_535), 8), 'WS_BAD_LENGTH 1002'],
    ['a negative length', hex('827f 8000000000000001'), 'WS_BAD_LENGTH 1002'],
    ['a length beyond all memory', hex('827f 7fffffffffffffff'), 'WS_TOO_LARGE 1009'],
    ['a length one beyond the limit', hex('827f 0000000001000001'), 'WS_TOO_LARGE 1009'],
    ['a close frame of one byte', hex('8801 03'), 'WS_BAD_CLOSE 1002'],
    ['a close frame with half a code', hex('8801 0f'), 'WS_BAD_CLOSE 1002'],
    ['a close frame with an invalid UTF-8 reason', hex('8803 03e8 ff'), 'WS_BAD_UTF8 1007'],
    ['text that is invalid UTF-8', hex('8101 ff'), 'WS_BAD_UTF8 1007'],
    ['a text that ends within a letter', hex('8103 f09f98'), 'WS_BAD_UTF8 1007'],
    ['a text with half a surrogate pair', hex('8103 eda080'), 'WS_BAD_UTF8 1007'],
    ['a text with an overlong letter', hex('8102 c0af'), 'WS_BAD_UTF8 1007'],
    ['a long text that is invalid UTF-8', serverFrame(0x81, Buffer.concat([Buffer.alloc(500, 'x'), Buffer.of(0xff)])), 'WS_BAD_UTF8 1007'],
    ['a fragmented text that is invalid UTF-8', hex('0102 f09f 8000'), 'WS_BAD_UTF8 1007'],
    ['a compressed text that is invalid UTF-8', serverFrame(0xc1, packed(Buffer.of(0xff))), 'WS_BAD_UTF8 1007'],
    ['data that cannot be decompressed', hex('c105 ffffffffff'), 'WS_BAD_DEFLATE 1007'],
    ['a truncated compressed text', serverFrame(0xc1, packed('Hello, hello, hello!').subarray(0, 8)), 'WS_BAD_DEFLATE 1007'],
    ['a back-reference before the start', serverFrame(0xc1, hex('02 83 00 00')), 'WS_BAD_DEFLATE 1007'],
  ])('for %s', (_what, bytes, fault, ...before) => {
    const reported = [...before, `broken ${fault}`];
    const behind = Buffer.concat([bytes, PING]);
    expect(readMessages(behind)).toEqual(reported);
    for (const cut of listCuts(behind)) expect(readMessages(behind, [cut])).toEqual(reported);
  });

  it.each([0, 999, 1004, 1005, 1006, 1015, 1016, 2_999, 5_000, 65_535])('for a close frame with code %i', (code) => {
    expect(readMessages(serverFrame(0x88, Buffer.of(code >> 8, code & 0xff)))).toEqual(['broken WS_BAD_CLOSE 1002']);
  });

  it.each([1000, 1003, 1007, 1011, 1014, 3_000, 4_999])('except for a close frame with code %i', (code) => {
    expect(readMessages(serverFrame(0x88, Buffer.of(code >> 8, code & 0xff)))).toEqual([`close ${code} `]);
  });

  it('for a compressed message if no compression was agreed', () => {
    expect(readMessages(hex('c107f248cdc9c90700'), [], undefined, null)).toEqual(['broken WS_RESERVED_BITS 1002']);
  });

  it('for an invalid byte, even if nothing follows', () => {
    for (const start of ['f1', '8181', '09', '80', '897e', '817e007d', '827f80']) {
      const bytes = hex(start);
      expect(readMessages(bytes.subarray(0, -1))).toEqual([]);
      expect(readMessages(bytes)).toEqual([expect.stringContaining('broken')]);
    }
  });
});

describe('FrameReader limits', () => {
  const limits = { maxMessageBytes: 100, maxFragments: 10 };
  const reported = (...frames: readonly Buffer[]): readonly string[] => readMessages(Buffer.concat(frames), [], limits);
  const text = (length: number): string => 'x'.repeat(length);

  it('the size of a message over all its frames', () => {
    expect(reported(serverFrame(0x81, text(100)), serverFrame(0x01, text(60)), serverFrame(0x80, text(40)))).toHaveLength(2);
    expect(reported(serverFrame(0x81, '', 0, 101))).toEqual(['broken WS_TOO_LARGE 1009']);
    expect(reported(serverFrame(0x01, text(60)), serverFrame(0x00, '', 0, 41))).toEqual(['broken WS_TOO_LARGE 1009']);
  });

  it('the size of a decompressed message', () => {
    expect(reported(serverFrame(0xc1, packed(text(100))))).toEqual([`text ${text(100)}`]);
    expect(reported(serverFrame(0xc1, packed(text(101))))).toEqual(['broken WS_TOO_LARGE 1009']);
    const streams = (count: number): Buffer => Buffer.concat([...Array<Buffer>(count).fill(hex('f348cdc9c90700')), hex('00')]);
    expect(readMessages(serverFrame(0xc1, streams(15)))).toEqual([`text ${'Hello'.repeat(15)}`]);
    expect(readMessages(serverFrame(0xc1, streams(16)))).toEqual(['broken WS_BAD_DEFLATE 1007']);
    const short = { ...limits, maxMessageBytes: 60 };
    expect(readMessages(serverFrame(0xc1, streams(8)), [], short)).toEqual([`text ${'Hello'.repeat(8)}`]);
    expect(readMessages(serverFrame(0xc1, hex('f348cdc9c90700'.repeat(8))), [], { ...limits, maxMessageBytes: 39 })).toEqual([
      'broken WS_TOO_LARGE 1009',
    ]);
  });

  it('the number of fragments', () => {
    const drops = (count: number): Buffer[] => Array.from({ length: count }, () => serverFrame(0x00));
    const all = reported(serverFrame(0x01), ...drops(8), serverFrame(0x89), serverFrame(0x80), serverFrame(0x81));
    expect(all).toEqual(['ping ', 'text ', 'text ']);
    expect(reported(serverFrame(0x01), ...drops(10))).toEqual(['broken WS_TOO_MANY_FRAGMENTS 1008']);
  });

  it('a decompression bomb, which is not decompressed completely', () => {
    const bomb = serverFrame(0xc2, packed(Buffer.alloc(200_000_000)));
    expect(bomb.length).toBeLessThan(200_000);
    const before = process.memoryUsage().external;
    expect(readMessages(bomb)).toEqual(['broken WS_TOO_LARGE 1009']);
    expect(process.memoryUsage().external - before).toBeLessThan(64_000_000);
  });
});

it('FrameReader passes complete frames without copying them', () => {
  const buffers = new Set<Buffer>();
  const log = new MessageLog();
  const keep = (buffer: Buffer): void => void buffers.add(buffer);
  log.onMessage = (_isText, buffer) => keep(buffer);
  log.onPing = keep;
  log.onPong = keep;
  const bytes = Buffer.concat(['81', '82', '89', '8a'].map((first) => serverFrame(Number.parseInt(first, 16), 'abc')));
  new FrameReader(log, null).feed(bytes, 0, bytes.length);
  expect([...buffers]).toEqual([bytes]);
});

it('FrameReader reports nothing after stop()', () => {
  for (const { bytes, reported } of [...Object.values(MESSAGES), ...Object.values(CLOSES)]) {
    const log = new MessageLog();
    const reader = new FrameReader(log, new Inflater(MAX_WINDOW_BITS, 100_000));
    log.onReported = () => reader.stop();
    const twice = Buffer.concat([bytes, bytes]);
    reader.feed(twice, 0, twice.length);
    reader.feed(bytes, 0, bytes.length);
    expect(log.reported).toEqual(reported.slice(0, 1));
  }
});
