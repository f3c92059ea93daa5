import { deflateRawSync } from 'node:zlib';
import { pieces } from '#framer/testing/messages.ts';
import {
  DEFAULT_MESSAGE_LIMITS,
  type Fault,
  FrameReader,
  type MessageInflater,
  type MessageLimits,
  type MessageListener,
} from '../frames.ts';
import { Inflater } from '../permessageDeflate.ts';

/** Number of bytes in which a length is encoded; `least` for as few as possible. */
export type LengthBytes = 0 | 2 | 8 | 'least';

/** Encodes a frame of a server, which may be invalid. A payload given as a string is encoded as UTF-8. */
export function serverFrame(first: number, payload: string | Buffer = '', lengthBytes: LengthBytes = 'least', length?: number): Buffer {
  const bytes = Buffer.from(payload);
  const reported = length ?? bytes.length;
  const width = lengthBytes === 'least' ? (reported < 126 ? 0 : reported < 65_536 ? 2 : 8) : lengthBytes;
  const head = Buffer.alloc(2 + width);
  head[0] = first;
  head[1] = width === 0 ? reported : width === 2 ? 126 : 127;
  if (width === 2) head.writeUInt16BE(reported, 2);
  if (width === 8) head.writeBigUInt64BE(BigInt(reported), 2);
  return Buffer.concat([head, bytes]);
}

/** Returns the payload of a compressed message, compressed by Node's deflate. */
export function packed(text: string | Buffer): Buffer {
  return deflateRawSync(text, { finishFlush: 2 }).subarray(0, -4);
}

/** Bytes, and the lines of a `MessageLog` that result from them. */
export interface MessageExample {
  readonly bytes: Buffer;
  readonly reported: readonly string[];
}

const of = (bytes: Buffer | string, ...reported: readonly string[]): MessageExample => ({
  bytes: typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : bytes,
  reported,
});
const joined = (...frames: readonly Buffer[]): Buffer => Buffer.concat(frames);
const long = (length: number): string => 'x'.repeat(length);
const face = Buffer.from('😀');

/** Valid frames of a server: the examples of RFC 6455 (section 5.7), and one more for each special case. */
export const MESSAGES: Readonly<Record<string, MessageExample>> = {
  'a text, of the RFC': of('810548656c6c6f', 'text Hello'),
  'a text in two frames, of the RFC': of('010348656c80026c6f', 'text Hello'),
  'a ping, of the RFC': of('890548656c6c6f', 'ping Hello'),
  'a pong, of the RFC': of('8a0548656c6c6f', 'pong Hello'),
  '256 bytes, of the RFC': of(joined(Buffer.from('827e0100', 'hex'), Buffer.alloc(256, 'b')), `binary ${'b'.repeat(256)}`),
  '64 KiB, of the RFC': of(joined(Buffer.from('827f0000000000010000', 'hex'), Buffer.alloc(65_536, 'b')), `binary ${'b'.repeat(65_536)}`),
  'an empty text': of(serverFrame(0x81), 'text '),
  'empty bytes': of(serverFrame(0x82), 'binary '),
  'an empty ping': of(serverFrame(0x89), 'ping '),
  'an empty pong': of(serverFrame(0x8a), 'pong '),
  '125 bytes': of(serverFrame(0x81, long(125)), `text ${long(125)}`),
  '126 bytes': of(serverFrame(0x81, long(126)), `text ${long(126)}`),
  '65,535 bytes': of(serverFrame(0x81, long(65_535)), `text ${long(65_535)}`),
  'the longest ping': of(serverFrame(0x89, long(125)), `ping ${long(125)}`),
  'a text of other letters': of(serverFrame(0x81, 'Grüße 😀'), 'text Grüße 😀'),
  'a long text of other letters': of(serverFrame(0x81, '😀'.repeat(100)), `text ${'😀'.repeat(100)}`),
  'a letter in two frames': of(joined(serverFrame(0x01, face.subarray(0, 1)), serverFrame(0x80, face.subarray(1))), 'text 😀'),
  'bytes that are no text': of(serverFrame(0x82, Buffer.from('fffe', 'hex')), 'binary \u00ff\u00fe'),
  'bytes in three frames': of(joined(serverFrame(0x02, 'a'), serverFrame(0x00, 'b'), serverFrame(0x80, 'c')), 'binary abc'),
  'a text in three frames, two of them empty': of(joined(serverFrame(0x01), serverFrame(0x00, 'abc'), serverFrame(0x80)), 'text abc'),
  'a text whose last frame has it all': of(joined(serverFrame(0x01), serverFrame(0x80, 'abc')), 'text abc'),
  'an empty text in three frames': of(joined(serverFrame(0x01), serverFrame(0x00), serverFrame(0x80)), 'text '),
  'a ping within a text': of(joined(serverFrame(0x01, 'a'), serverFrame(0x89, 'p'), serverFrame(0x80, 'b')), 'ping p', 'text ab'),
  'pings within an empty text': of(
    joined(serverFrame(0x01), serverFrame(0x89), serverFrame(0x8a, 'p'), serverFrame(0x80)),
    'ping ',
    'pong p',
    'text ',
  ),
  'a compressed text, of RFC 7692': of('c107f248cdc9c90700', 'text Hello'),
  'a compressed text in two frames, of RFC 7692': of('4103f248cd8004c9c90700', 'text Hello'),
  'a block without compression, of RFC 7692': of('c10b000500faff48656c6c6f00', 'text Hello'),
  'a last block, of RFC 7692': of('c108f348cdc9c9070000', 'text Hello'),
  'two blocks, of RFC 7692': of('c10df248050000 00ffffcac9c90700'.replaceAll(' ', ''), 'text Hello'),
  'an empty compressed text': of('c10100', 'text '),
  'an empty text that was compressed to nothing': of('c100', 'text '),
  'a last block without padding': of('c107f348cdc9c90700', 'text Hello'),
  'two streams in one message': of(serverFrame(0xc1, Buffer.from('f348cdc9c90700f348cdc9c9070000', 'hex')), 'text HelloHello'),
  'compressed bytes': of(serverFrame(0xc2, packed(Buffer.alloc(3_000, 'b'))), `binary ${'b'.repeat(3_000)}`),
  'a compressed text of which frames come between pings': of(
    joined(serverFrame(0x41, packed('Hello').subarray(0, 2)), serverFrame(0x89), serverFrame(0x80, packed('Hello').subarray(2))),
    'ping ',
    'text Hello',
  ),
};

/** Valid close frames. */
export const CLOSES: Readonly<Record<string, MessageExample>> = {
  'without a code': of(serverFrame(0x88), 'close 1005 '),
  'with a code': of(serverFrame(0x88, Buffer.from('03e8', 'hex')), 'close 1000 '),
  'with a reason': of(serverFrame(0x88, Buffer.from('03e9c2a762796521', 'hex')), 'close 1001 §bye!'),
  'with the longest reason': of(
    serverFrame(0x88, joined(Buffer.from('0fa0', 'hex'), Buffer.alloc(123, 'r'))),
    `close 4000 ${'r'.repeat(123)}`,
  ),
  'within a text': of(joined(serverFrame(0x01, 'a'), serverFrame(0x88)), 'close 1005 '),
};

/** Logs the calls that it receives. */
export class MessageLog implements MessageListener {
  readonly reported: string[] = [];
  /** Called after each line. */
  onReported: () => void = () => {};

  onMessage(isText: boolean, buffer: Buffer, start: number, end: number): void {
    this.report(isText ? `text ${buffer.toString('utf8', start, end)}` : `binary ${buffer.toString('latin1', start, end)}`);
  }

  onPing(buffer: Buffer, start: number, end: number): void {
    this.report(`ping ${buffer.toString('latin1', start, end)}`);
  }

  onPong(buffer: Buffer, start: number, end: number): void {
    this.report(`pong ${buffer.toString('latin1', start, end)}`);
  }

  onClose(code: number, reason: string): void {
    this.report(`close ${code} ${reason}`);
  }

  onBroken(fault: Fault, closeCode: number): void {
    this.report(`broken ${fault} ${closeCode}`);
  }

  private report(line: string): void {
    this.reported.push(line);
    this.onReported();
  }
}

export const MAX_WINDOW_BITS = 15;

/** The one buffer of all reads, as in a load thread, so that bytes are overwritten if the reader does not copy them. */
const SHARED = Buffer.alloc(1 << 20);

/** Reads frames in pieces through one shared buffer. */
export function readMessages(
  bytes: Buffer,
  cuts: readonly number[] = [],
  limits: MessageLimits = DEFAULT_MESSAGE_LIMITS,
  inflater: MessageInflater | null = new Inflater(MAX_WINDOW_BITS, limits.maxMessageBytes),
): readonly string[] {
  const log = new MessageLog();
  const reader = new FrameReader(log, inflater, limits);
  for (const piece of pieces(bytes, cuts)) {
    piece.copy(SHARED, 3);
    reader.feed(SHARED, 3, 3 + piece.length);
    SHARED.fill(0xee, 0, 3 + piece.length);
  }
  return log.reported;
}
