import { describe, expect, it } from 'vitest';
import { FrameReader } from './frames.ts';
import { Inflater } from './permessageDeflate.ts';
import { CLOSES, MESSAGES, MessageLog, NO_CONTEXT, packed, readMessages, serverFrame } from './testing/serverFrames.ts';

const PING = serverFrame(0x89, 'behind');
const everyByte = (bytes: Buffer): number[] => Array.from(bytes.keys());
/** All places of what is short; those around the heads of what is long. */
const cutsOf = (bytes: Buffer): number[] => everyByte(bytes).filter((cut) => cut > 0 && (cut < 300 || cut > bytes.length - 20));
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('messages are read, wherever they are cut', () => {
  it.each(Object.entries(MESSAGES))('%s', (_name, { bytes, told }) => {
    expect(readMessages(bytes)).toEqual(told);
    for (const cut of cutsOf(bytes)) expect(readMessages(bytes, [cut])).toEqual(told);
    expect(readMessages(bytes, everyByte(bytes))).toEqual(told);
    const twice = Buffer.concat([bytes, PING, bytes]);
    expect(readMessages(twice)).toEqual([...told, 'ping behind', ...told]);
  });

  it.each(Object.entries(CLOSES))('a close frame %s, and nothing behind it', (_name, { bytes, told }) => {
    const behind = Buffer.concat([bytes, PING]);
    for (const cut of everyByte(behind)) expect(readMessages(behind, [cut])).toEqual(told);
    expect(readMessages(behind, everyByte(behind))).toEqual(told);
  });

  it('all of them behind each other', () => {
    const all = [...Object.values(MESSAGES), ...Object.values(CLOSES).slice(0, 1)];
    const bytes = Buffer.concat(all.map((example) => example.bytes));
    const told = all.flatMap((example) => example.told);
    expect(readMessages(bytes)).toEqual(told);
    expect(readMessages(bytes, everyByte(bytes))).toEqual(told);
    for (const step of [2, 3, 5, 7, 1_000, 65_536]) {
      expect(
        readMessages(
          bytes,
          everyByte(bytes).filter((cut) => cut % step === 0),
        ),
      ).toEqual(told);
    }
  });
});

describe('a connection is broken', () => {
  it.each([
    ['the second reserved bit', hex('a100'), 'WS_RESERVED_BITS 1002'],
    ['the third reserved bit', hex('9100'), 'WS_RESERVED_BITS 1002'],
    ['a ping that is compressed', hex('c900'), 'WS_RESERVED_BITS 1002'],
    ['the compressed rest of a message', hex('0100 c000'), 'WS_RESERVED_BITS 1002'],
    ['an opcode of messages that is none', hex('8300'), 'WS_BAD_OPCODE 1002'],
    ['the last opcode of messages', hex('8700'), 'WS_BAD_OPCODE 1002'],
    ['an opcode of control frames that is none', hex('8b00'), 'WS_BAD_OPCODE 1002'],
    ['the last opcode of all', hex('8f00'), 'WS_BAD_OPCODE 1002'],
    ['an answer of HTTP', Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), 'WS_RESERVED_BITS 1002'],
    ['a masked frame', hex('8185 37fa213d 7f9f4d5158'), 'WS_MASKED 1002'],
    ['a fragmented ping', hex('0900'), 'WS_BAD_CONTROL 1002'],
    ['a fragmented end', hex('0800'), 'WS_BAD_CONTROL 1002'],
    ['a ping of 126 bytes', serverFrame(0x89, 'x'.repeat(126)), 'WS_BAD_CONTROL 1002'],
    ['a ping of a long length', serverFrame(0x89, 'x', 8), 'WS_BAD_CONTROL 1002'],
    ['the rest of a message that never began', hex('8000'), 'WS_BAD_ORDER 1002'],
    ['the rest of a message that is complete', hex('0100 8000 8000'), 'WS_BAD_ORDER 1002', 'text '],
    ['a text within a text', hex('0100 8100'), 'WS_BAD_ORDER 1002'],
    ['bytes within a text', hex('0100 0200'), 'WS_BAD_ORDER 1002'],
    ['125 bytes whose length is written in two', serverFrame(0x81, 'x'.repeat(125), 2), 'WS_BAD_LENGTH 1002'],
    ['a short length written in eight bytes', serverFrame(0x81, 'x'.repeat(65_535), 8), 'WS_BAD_LENGTH 1002'],
    ['a negative length', hex('827f 8000000000000001'), 'WS_BAD_LENGTH 1002'],
    ['a length beyond all memory', hex('827f 7fffffffffffffff'), 'WS_TOO_LARGE 1009'],
    ['a length one beyond the limit', hex('827f 0000000001000001'), 'WS_TOO_LARGE 1009'],
    ['an end of one byte', hex('8801 03'), 'WS_BAD_CLOSE 1002'],
    ['an end of a byte that begins a code', hex('8801 0f'), 'WS_BAD_CLOSE 1002'],
    ['an end whose reason is no text', hex('8803 03e8 ff'), 'WS_BAD_UTF8 1007'],
    ['a text that is none', hex('8101 ff'), 'WS_BAD_UTF8 1007'],
    ['a text that ends within a letter', hex('8103 f09f98'), 'WS_BAD_UTF8 1007'],
    ['a text with half a surrogate pair', hex('8103 eda080'), 'WS_BAD_UTF8 1007'],
    ['a text with an overlong letter', hex('8102 c0af'), 'WS_BAD_UTF8 1007'],
    ['a long text that is none', serverFrame(0x81, Buffer.concat([Buffer.alloc(500, 'x'), Buffer.of(0xff)])), 'WS_BAD_UTF8 1007'],
    ['a text in frames that is none', hex('0102 f09f 8000'), 'WS_BAD_UTF8 1007'],
    ['a compressed text that is none', serverFrame(0xc1, packed(Buffer.of(0xff))), 'WS_BAD_UTF8 1007'],
    ['what cannot be unpacked', hex('c105 ffffffffff'), 'WS_BAD_DEFLATE 1007'],
    ['a compressed text without its end', serverFrame(0xc1, packed('Hello, hello, hello!').subarray(0, 8)), 'WS_BAD_DEFLATE 1007'],
    ['a reference to what was never said', serverFrame(0xc1, hex('02 83 00 00')), 'WS_BAD_DEFLATE 1007'],
  ])('by %s', (_what, bytes, fault, ...before) => {
    const told = [...before, `broken ${fault}`];
    const behind = Buffer.concat([bytes, PING]);
    expect(readMessages(behind)).toEqual(told);
    for (const cut of cutsOf(behind)) expect(readMessages(behind, [cut])).toEqual(told);
  });

  it.each([0, 999, 1004, 1005, 1006, 1015, 1016, 2_999, 5_000, 65_535])('by an end with the code %i', (code) => {
    expect(readMessages(serverFrame(0x88, Buffer.of(code >> 8, code & 0xff)))).toEqual(['broken WS_BAD_CLOSE 1002']);
  });

  it.each([1000, 1003, 1007, 1011, 1014, 3_000, 4_999])('not by an end with the code %i', (code) => {
    expect(readMessages(serverFrame(0x88, Buffer.of(code >> 8, code & 0xff)))).toEqual([`close ${code} `]);
  });

  it('by a compressed message where that was not agreed on', () => {
    expect(readMessages(hex('c107f248cdc9c90700'), [], undefined, null)).toEqual(['broken WS_RESERVED_BITS 1002']);
  });

  it('with the byte that is wrong, though nothing follows it', () => {
    for (const start of ['f1', '8181', '09', '80', '897e', '817e007d', '827f80']) {
      const bytes = hex(start);
      expect(readMessages(bytes.subarray(0, -1))).toEqual([]);
      expect(readMessages(bytes)).toEqual([expect.stringContaining('broken')]);
    }
  });
});

describe('limits', () => {
  const limits = { maxMessageBytes: 100, maxFragments: 10 };
  const told = (...frames: readonly Buffer[]): readonly string[] => readMessages(Buffer.concat(frames), [], limits);
  const text = (length: number): string => 'x'.repeat(length);

  it('of a message, over all its frames', () => {
    expect(told(serverFrame(0x81, text(100)), serverFrame(0x01, text(60)), serverFrame(0x80, text(40)))).toHaveLength(2);
    expect(told(serverFrame(0x81, '', 0, 101))).toEqual(['broken WS_TOO_LARGE 1009']);
    expect(told(serverFrame(0x01, text(60)), serverFrame(0x00, '', 0, 41))).toEqual(['broken WS_TOO_LARGE 1009']);
  });

  it('of a message when it is unpacked', () => {
    expect(told(serverFrame(0xc1, packed(text(100))))).toEqual([`text ${text(100)}`]);
    expect(told(serverFrame(0xc1, packed(text(101))))).toEqual(['broken WS_TOO_LARGE 1009']);
    const streams = (count: number): Buffer => Buffer.concat([...Array<Buffer>(count).fill(hex('f348cdc9c90700')), hex('00')]);
    expect(readMessages(serverFrame(0xc1, streams(15)))).toEqual([`text ${'Hello'.repeat(15)}`]);
    expect(readMessages(serverFrame(0xc1, streams(16)))).toEqual(['broken WS_BAD_DEFLATE 1007']);
    const short = { ...limits, maxMessageBytes: 60 };
    expect(readMessages(serverFrame(0xc1, streams(8)), [], short)).toEqual([`text ${'Hello'.repeat(8)}`]);
    expect(readMessages(serverFrame(0xc1, hex('f348cdc9c90700'.repeat(8))), [], { ...limits, maxMessageBytes: 39 })).toEqual([
      'broken WS_TOO_LARGE 1009',
    ]);
  });

  it('of frames that never end a message', () => {
    const drops = (count: number): Buffer[] => Array.from({ length: count }, () => serverFrame(0x00));
    const all = told(serverFrame(0x01), ...drops(8), serverFrame(0x89), serverFrame(0x80), serverFrame(0x81));
    expect(all).toEqual(['ping ', 'text ', 'text ']);
    expect(told(serverFrame(0x01), ...drops(10))).toEqual(['broken WS_TOO_MANY_FRAGMENTS 1008']);
  });

  it('a bomb is refused before it is unpacked', () => {
    const bomb = serverFrame(0xc2, packed(Buffer.alloc(200_000_000)));
    expect(bomb.length).toBeLessThan(200_000);
    const before = process.memoryUsage().external;
    expect(readMessages(bomb)).toEqual(['broken WS_TOO_LARGE 1009']);
    expect(process.memoryUsage().external - before).toBeLessThan(64_000_000);
  });
});

it('what lies whole in the buffer is passed as it lies there', () => {
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

it('nothing is told once somebody has had enough', () => {
  for (const { bytes, told } of [...Object.values(MESSAGES), ...Object.values(CLOSES)]) {
    const log = new MessageLog();
    const reader = new FrameReader(log, new Inflater(NO_CONTEXT, 100_000));
    log.onTold = () => reader.stop();
    const twice = Buffer.concat([bytes, bytes]);
    reader.feed(twice, 0, twice.length);
    reader.feed(bytes, 0, bytes.length);
    expect(log.told).toEqual(told.slice(0, 1));
  }
});
