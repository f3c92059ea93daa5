import { BACKSLASH, CR, DOUBLE_QUOTE, EQUALS, IS_QUOTED, IS_TOKEN, IS_VALUE, LF, SEMICOLON, SP } from './bytes.ts';
import type { Refusal } from './refusals.ts';

const START = 0;
const NAME = 1;
const VALUE = 2;
const QUOTED = 3;
const ESCAPED = 4;
const AFTER_QUOTE = 5;

/** Skips the extensions behind a chunk size (RFC 9112, 7.1.1): their bytes are checked and mean nothing. */
export class ChunkExtension {
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
