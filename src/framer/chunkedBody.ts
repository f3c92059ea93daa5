import { CR, HEX_VALUE, LF, SEMICOLON } from './bytes.ts';
import type { Refusal } from './refusals.ts';
import { isBlank } from './wordListReader.ts';

const FIRST_DIGIT = 0;
const SIZE = 1;
const PADDING = 2;
const EXTENSION = 3;
const SIZE_LF = 4;
const DATA = 5;
const DATA_END = 6;
const DATA_LF = 7;

/**
 * Reads chunks up to the size line of the last chunk (RFC 9112, 7.1); the trailers after it are header lines. Like curl and browsers, it
 * accepts a size that is padded with blanks, any extension, and lines that end in LF alone.
 */
export class ChunkedBody {
  /** Whether the size line of the last chunk was read. */
  done = false;
  refusal: Refusal | null = null;
  /** Number of bytes of chunk data that the next call of `takeData` may take; 0 between chunks. */
  pending = 0;
  private readonly limitLineBytes: number;
  private lineBytes = 0;
  private at = FIRST_DIGIT;
  private size = 0;

  /** `limitLineBytes` is the maximum number of bytes of padding, extensions and superfluous zeros in one size line. */
  constructor(limitLineBytes: number) {
    this.limitLineBytes = limitLineBytes;
  }

  reset(): void {
    this.done = false;
    this.refusal = null;
    this.pending = 0;
    this.beginLine();
  }

  /**
   * Reads chunk framing. Stops after a size line that is followed by `pending` bytes of data, when the body is done or refused, or at
   * `end`.
   */
  feed(buffer: Uint8Array, position: number, end: number): number {
    let next = position;
    while (next < end) {
      this.refusal = this.take(buffer[next] ?? 0);
      if (this.refusal !== null) break;
      next += 1;
      if (this.pending > 0 || this.done) break;
    }
    return next;
  }

  /** Marks `length` bytes of pending data as read. */
  takeData(length: number): void {
    this.pending -= length;
    if (this.pending === 0) this.at = DATA_END;
  }

  private take(byte: number): Refusal | null {
    switch (this.at) {
      case FIRST_DIGIT:
      case SIZE:
        return this.sizeByte(byte);
      case PADDING:
        return this.afterSize(byte);
      case EXTENSION:
        return byte === CR || byte === LF ? this.afterSize(byte) : this.countLineByte();
      case SIZE_LF:
        if (byte !== LF) return 'BARE_CR';
        this.endLine();
        return null;
      case DATA_END:
        if (byte === LF) this.beginLine();
        else this.at = DATA_LF;
        return byte === CR || byte === LF ? null : 'BAD_CHUNK_END';
      default:
        this.beginLine();
        return byte === LF ? null : 'BAD_CHUNK_END';
    }
  }

  private sizeByte(byte: number): Refusal | null {
    const digit = HEX_VALUE[byte] ?? 255;
    if (digit < 16) {
      this.at = SIZE;
      if (this.size === 0 && digit === 0) return this.countLineByte();
      this.size = this.size * 16 + digit;
      return this.size > Number.MAX_SAFE_INTEGER ? 'BAD_CHUNK_SIZE' : null;
    }
    return this.at === FIRST_DIGIT ? 'BAD_CHUNK_SIZE' : this.afterSize(byte);
  }

  private afterSize(byte: number): Refusal | null {
    if (byte === CR) this.at = SIZE_LF;
    else if (byte === LF) this.endLine();
    else if (byte === SEMICOLON) this.at = EXTENSION;
    else if (isBlank(byte)) {
      this.at = PADDING;
      return this.countLineByte();
    } else return 'BAD_CHUNK_SIZE';
    return null;
  }

  private countLineByte(): Refusal | null {
    this.lineBytes += 1;
    return this.lineBytes > this.limitLineBytes ? 'HEAD_TOO_LARGE' : null;
  }

  private beginLine(): void {
    this.at = FIRST_DIGIT;
    this.size = 0;
    this.lineBytes = 0;
  }

  private endLine(): void {
    this.at = DATA;
    if (this.size === 0) this.done = true;
    else this.pending = this.size;
  }
}
