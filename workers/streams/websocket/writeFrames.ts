import { randomFillSync } from 'node:crypto';
import { BINARY, CLOSE, FINAL, HAS_MASK, MAX_CONTROL_BYTES, PING, PONG, RSV1, TEXT } from './wire.ts';

const NO_BYTES = Buffer.alloc(0);
const KEY_BYTES = 4;
/** 2,048 keys: taking one costs a few nanoseconds, while a system call for four bytes costs a microsecond. */
const POOL_BYTES = 8_192;
/** Below this length, setting up words costs more than it saves. */
const MIN_WORD_BYTES = 32;
/** Word views of larger memory are not kept. */
const MAX_KEPT_BYTES = 65_536;

/** Fills memory with random bytes. */
export type RandomFill = (bytes: Uint8Array) => unknown;

/**
 * Writes the frames of a client (RFC 6455, section 5), each as one buffer. One writer serves all connections of a thread. Every frame has its own mask key,
 * which must be unpredictable (section 10.3): keys come from a cryptographic source, for many frames at a time.
 */
export class FrameWriter {
  private readonly fill: RandomFill;
  private readonly pool = Buffer.alloc(POOL_BYTES);
  private drawn = POOL_BYTES;
  /** The key rotated to the first whole word of the payload, as bytes and as a word. */
  private readonly rotatedKey = new Uint8Array(KEY_BYTES);
  private readonly keyWord = new Int32Array(this.rotatedKey.buffer);
  /** Word view of the last frame's memory: small frames share Node's memory pool. */
  private memory: ArrayBufferLike = this.pool.buffer;
  private words = wordsOf(this.pool.buffer);

  constructor(fill: RandomFill = randomFillSync) {
    this.fill = fill;
  }

  text(text: string | Buffer): Buffer {
    return this.frame(FINAL | TEXT, text);
  }

  binary(bytes: Buffer): Buffer {
    return this.frame(FINAL | BINARY, bytes);
  }

  /** Writes a message compressed by `deflateMessage`, if compression was agreed. */
  compressed(isText: boolean, packed: Buffer): Buffer {
    return this.frame(FINAL | RSV1 | (isText ? TEXT : BINARY), packed);
  }

  /** @throws {RangeError} for more than 125 bytes. */
  ping(bytes: Buffer = NO_BYTES): Buffer {
    return this.controlFrame(PING, bytes);
  }

  /** Writes the pong for a ping with its bytes. */
  pong(bytes: Buffer): Buffer {
    return this.controlFrame(PONG, bytes);
  }

  /**
   * Writes a close frame, without a code if none is given.
   * @throws {RangeError} for a reason of more than 123 bytes.
   */
  close(code?: number, reason = ''): Buffer {
    if (code === undefined) return this.controlFrame(CLOSE, NO_BYTES);
    return this.controlFrame(CLOSE, Buffer.concat([Buffer.of(code >> 8, code & 0xff), Buffer.from(reason)]));
  }

  private controlFrame(opcode: number, bytes: Buffer): Buffer {
    if (bytes.length > MAX_CONTROL_BYTES) throw new RangeError(`A control frame holds at most ${MAX_CONTROL_BYTES} bytes`);
    return this.frame(FINAL | opcode, bytes);
  }

  private frame(first: number, payload: string | Buffer): Buffer {
    const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
    const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8;
    const keyAt = 2 + lengthBytes;
    const from = keyAt + KEY_BYTES;
    const frame = Buffer.allocUnsafe(from + length);
    frame[0] = first;
    frame[1] = HAS_MASK | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
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
    const words = wordsOf(buffer);
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

function wordsOf(memory: ArrayBufferLike): Int32Array {
  return new Int32Array(memory, 0, Math.trunc(memory.byteLength / KEY_BYTES));
}
