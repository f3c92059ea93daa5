import { randomFillSync } from 'node:crypto';

const NO_BYTES = Buffer.alloc(0);
const KEY_BYTES = 4;
/**
 * Size of the pool of 2,048 keys. Taking a key from the pool needs a few nanoseconds, whereas a system call for four bytes needs a
 * microsecond.
 */
const POOL_BYTES = 8_192;
/** Minimum length for masking by words. Below it, setting up the words takes more time than it saves. */
const MIN_WORD_BYTES = 32;
/** Maximum size of memory whose view as words is kept. */
const MAX_KEPT_BYTES = 65_536;

/** Fills memory with random bytes. */
export type RandomFill = (bytes: Uint8Array) => unknown;

/**
 * Writes the frames of a client (RFC 6455, section 5), each as one buffer. One writer is used for all connections of a thread. Every frame
 * has its own mask key, which must be unpredictable (section 10.3): keys come from a cryptographic source, for many frames at a time.
 */
export class FrameWriter {
  private readonly fill: RandomFill;
  private readonly pool = Buffer.alloc(POOL_BYTES);
  private drawn = POOL_BYTES;
  /** The key, rotated to the first whole word of the payload, as bytes and as a word. */
  private readonly rotatedKey = new Uint8Array(KEY_BYTES);
  private readonly keyWord = new Int32Array(this.rotatedKey.buffer);
  /** Memory of the last frame, for its view as words: small frames share Node's memory pool. */
  private memory: ArrayBufferLike = this.pool.buffer;
  private words = wordView(this.pool.buffer);

  constructor(fill: RandomFill = randomFillSync) {
    this.fill = fill;
  }

  text(text: string | Buffer): Buffer {
    return this.frame(FINAL_FLAG | TEXT, text);
  }

  binary(bytes: Buffer): Buffer {
    return this.frame(FINAL_FLAG | BINARY, bytes);
  }

  /**
   * Returns the frame of a ping.
   * @throws {RangeError} for more than 125 bytes.
   */
  ping(bytes: Buffer = NO_BYTES): Buffer {
    return this.controlFrame(PING, bytes);
  }

  /** Returns the pong for a ping with these bytes. */
  pong(bytes: Buffer): Buffer {
    return this.controlFrame(PONG, bytes);
  }

  /**
   * Returns a close frame, without a code if none is given.
   * @throws {RangeError} for a reason of more than 123 bytes.
   */
  close(code?: number, reason = ''): Buffer {
    if (code === undefined) return this.controlFrame(CLOSE, NO_BYTES);
    return this.controlFrame(CLOSE, Buffer.concat([Buffer.of(code >> 8, code & 0xff), Buffer.from(reason)]));
  }

  private controlFrame(opcode: number, bytes: Buffer): Buffer {
    if (bytes.length > MAX_CONTROL_BYTES) throw new RangeError(`A control frame holds at most ${MAX_CONTROL_BYTES} bytes`);
    return this.frame(FINAL_FLAG | opcode, bytes);
  }

  private frame(first: number, payload: string | Buffer): Buffer {
    const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
    const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8;
    const keyAt = 2 + lengthBytes;
    const from = keyAt + KEY_BYTES;
    const frame = Buffer.allocUnsafe(from + length);
    frame[0] = first;
    frame[1] = MASK_FLAG | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
    if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
    else if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2);
    this.drawKey(frame, keyAt);
    if (typeof payload === 'string') frame.write(payload, from);
    else frame.set(payload, from);
    this.mask(frame, keyAt, from, length);
    return frame;
  }

  private drawKey(frame: Buffer, at: number): void {
    const { pool } = this;
    if (this.drawn === POOL_BYTES) {
      this.fill(pool);
      this.drawn = 0;
    }
    for (let index = 0; index < KEY_BYTES; index += 1) frame[at + index] = pool[this.drawn + index] ?? 0;
    this.drawn += KEY_BYTES;
  }

  /** Masks whole aligned words, and the bytes before and after them one by one. */
  private mask(frame: Buffer, keyAt: number, from: number, length: number): void {
    const start = frame.byteOffset + from;
    const before = length < MIN_WORD_BYTES ? length : -start & (KEY_BYTES - 1);
    maskBytes(frame, keyAt, from, 0, before);
    if (before === length) return;
    const { keyWord, rotatedKey } = this;
    for (let index = 0; index < KEY_BYTES; index += 1) rotatedKey[index] = frame[keyAt + ((before + index) & 3)] ?? 0;
    const key = keyWord[0] ?? 0;
    const words = this.wordsOfMemory(frame);
    const firstWord = (start + before) / KEY_BYTES;
    const endWord = firstWord + Math.trunc((length - before) / KEY_BYTES);
    for (let index = firstWord; index < endWord; index += 1) words[index] = (words[index] ?? 0) ^ key;
    maskBytes(frame, keyAt, from, endWord * KEY_BYTES - start, length);
  }

  private wordsOfMemory({ buffer }: Buffer): Int32Array {
    if (buffer === this.memory) return this.words;
    const words = wordView(buffer);
    if (buffer.byteLength > MAX_KEPT_BYTES) return words;
    this.memory = buffer;
    this.words = words;
    return words;
  }
}

/** Masks the payload bytes from `start` to `end`; the payload starts at `from`. */
function maskBytes(frame: Buffer, keyAt: number, from: number, start: number, end: number): void {
  for (let index = start; index < end; index += 1) {
    frame[from + index] = (frame[from + index] ?? 0) ^ (frame[keyAt + (index & 3)] ?? 0);
  }
}

function wordView(memory: ArrayBufferLike): Int32Array {
  return new Int32Array(memory, 0, Math.trunc(memory.byteLength / KEY_BYTES));
}

/** Opcode of continuation frames (RFC 6455, section 5). */
export const CONTINUATION = 0x0;
export const TEXT = 0x1;
export const BINARY = 0x2;
/** Opcode of close frames, the lowest of control frames. */
export const CLOSE = 0x8;
export const PING = 0x9;
export const PONG = 0xa;

/** Bit of the first byte in the last frame of a message. */
export const FINAL_FLAG = 0x80;
export const RESERVED_FLAGS = 0x70;
/** Bit of the first byte in the first frame of a compressed message (RFC 7692). */
export const RSV1 = 0x40;
export const OPCODE = 0x0f;

/** Bit of the second byte in masked frames. */
export const MASK_FLAG = 0x80;

const MAX_CONTROL_BYTES = 125;

/** Code that represents a close frame without a code. It is never sent. */
export const NO_STATUS_CODE = 1005;

/** Returns whether an endpoint may send the code: one of RFC 6455, a registered one, or one for applications. */
export function isCloseCode(code: number): boolean {
  return (code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)) || (code >= 3000 && code <= 4999);
}

/** Protocol errors and exceeded limits of a server, with the code for the close frame (RFC 6455, section 7.4.1). */
export const FAULTS = {
  /** A reserved bit is set without an agreed meaning. */
  WS_RESERVED_BITS: 1002,
  WS_BAD_OPCODE: 1002,
  /** A frame is masked, although only clients mask. */
  WS_MASKED: 1002,
  /** A length uses more bytes than needed, or is negative. */
  WS_BAD_LENGTH: 1002,
  /** A ping, pong or close frame is fragmented, or longer than 125 bytes. */
  WS_BAD_CONTROL: 1002,
  /** A continuation has no message before it, or a message begins within another. */
  WS_BAD_ORDER: 1002,
  /** A close frame has only one byte, or an invalid code. */
  WS_BAD_CLOSE: 1002,
  WS_BAD_UTF8: 1007,
  /** Data cannot be decompressed. */
  WS_BAD_DEFLATE: 1007,
  WS_TOO_MANY_FRAGMENTS: 1008,
  WS_TOO_LARGE: 1009,
} as const satisfies Readonly<Record<string, number>>;

export type Fault = keyof typeof FAULTS;
