import { BACKSLASH, CR, DOUBLE_QUOTE, EQUALS, HEX_VALUE, IS_QUOTED, IS_TOKEN, IS_VALUE, LF, SEMICOLON, SP } from './bytes.ts';
import type { Refusal } from './refusals.ts';

const START = 0;
const NAME = 1;
const VALUE = 2;
const QUOTED = 3;
const ESCAPED = 4;
const AFTER_QUOTE = 5;

/** Skips the extensions behind a chunk size (RFC 9112, 7.1.1): their bytes are checked and mean nothing. */
class ChunkExtension {
  /** The CR that ends the line was read. */
  done = false;
  private at = START;

  /** A semicolon was read. */
  begin(): void {
    this.at = START;
    this.done = false;
  }

  byte(byte: number): Refusal | null {
    switch (this.at) {
      case START:
        if (byte === SP || byte === CR) return 'BAD_CHUNK_EXTENSION';
        this.at = NAME;
        return this.byte(byte);
      case NAME:
        if (IS_TOKEN[byte] === 1) return null;
        if (byte !== EQUALS) return this.endExtension(byte);
        this.at = VALUE;
        return null;
      case VALUE:
        if (IS_TOKEN[byte] === 1) return null;
        if (byte !== DOUBLE_QUOTE) return this.endExtension(byte);
        this.at = QUOTED;
        return null;
      case QUOTED:
        if (byte === DOUBLE_QUOTE) this.at = AFTER_QUOTE;
        else if (byte === BACKSLASH) this.at = ESCAPED;
        else if (IS_QUOTED[byte] === 0) return 'BAD_CHUNK_EXTENSION';
        return null;
      case ESCAPED:
        this.at = QUOTED;
        return IS_VALUE[byte] === 1 ? null : 'BAD_CHUNK_EXTENSION';
      default:
        return this.endExtension(byte);
    }
  }

  private endExtension(byte: number): Refusal | null {
    if (byte === SEMICOLON) this.at = START;
    else if (byte === CR) this.done = true;
    else return byte === LF ? 'BARE_LF' : 'BAD_CHUNK_EXTENSION';
    return null;
  }
}

const FIRST_DIGIT = 0;
const SIZE = 1;
const EXTENSION = 2;
const SIZE_LF = 3;
const DATA = 4;
const DATA_CR = 5;
const DATA_LF = 6;

/** Reads chunks up to the line of the last one (RFC 9112, 7.1); the trailers behind it are header lines. */
export class ChunkedBody {
  /** The line of the chunk of size 0 was read. */
  done = false;
  refusal: Refusal | null = null;
  /** Bytes of chunk data that the next call of `takeData` may take; 0 between chunks. */
  pending = 0;
  private readonly extension = new ChunkExtension();
  private readonly limitLineBytes: number;
  private lineBytes = 0;
  private at = FIRST_DIGIT;
  private size = 0;

  /** `limitLineBytes` bounds the bytes of all size lines' extensions and superfluous zeros together. */
  constructor(limitLineBytes: number) {
    this.limitLineBytes = limitLineBytes;
  }

  reset(): void {
    this.done = false;
    this.refusal = null;
    this.pending = 0;
    this.lineBytes = 0;
    this.at = FIRST_DIGIT;
    this.size = 0;
  }

  /** Reads what stands between data. Stops behind it with `pending` data bytes to come, when done or refused, or at `end`. */
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

  /** `length` bytes of the pending data were read. */
  takeData(length: number): void {
    this.pending -= length;
    if (this.pending === 0) this.at = DATA_CR;
  }

  private take(byte: number): Refusal | null {
    switch (this.at) {
      case FIRST_DIGIT:
      case SIZE:
        return this.sizeByte(byte);
      case EXTENSION: {
        const refusal = this.extension.byte(byte) ?? this.countLineByte();
        if (this.extension.done) this.at = SIZE_LF;
        return refusal;
      }
      case SIZE_LF:
        if (byte !== LF) return 'BARE_CR';
        this.endLine();
        return null;
      case DATA_CR:
        this.at = DATA_LF;
        if (byte === LF) return 'BARE_LF';
        return byte === CR ? null : 'BAD_CHUNK_END';
      default:
        this.at = FIRST_DIGIT;
        this.size = 0;
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
    if (this.at === FIRST_DIGIT) return 'BAD_CHUNK_SIZE';
    if (byte === CR) this.at = SIZE_LF;
    else if (byte === SEMICOLON) {
      this.at = EXTENSION;
      this.extension.begin();
    } else return byte === LF ? 'BARE_LF' : 'BAD_CHUNK_SIZE';
    return null;
  }

  private countLineByte(): Refusal | null {
    this.lineBytes += 1;
    return this.lineBytes > this.limitLineBytes ? 'HEAD_TOO_LARGE' : null;
  }

  private endLine(): void {
    this.at = DATA;
    if (this.size === 0) this.done = true;
    else this.pending = this.size;
  }
}
