import { CR, DIGIT_0, DIGIT_1, DIGIT_2, DIGIT_9, DOT, LF, NUL, SP } from './bytes.ts';
import type { Refusal } from './refusals.ts';

const PROTOCOL = Uint8Array.from('http/', (character) => character.charCodeAt(0));
const TO_LOWER_CASE = 0x20;
const SLASH_AT = 4;
const STATUS_DIGITS = 3;

const IN_PROTOCOL = 0;
const MAJOR = 1;
const DOT_OF_1 = 2;
const MINOR_OF_1 = 3;
const AFTER_2 = 4;
const MINOR_OF_2 = 5;
const BEFORE_STATUS = 6;
const BLANKS = 7;
const STATUS = 8;
const AFTER_STATUS = 9;
const REASON = 10;
const LINE_LF = 11;

/**
 * Reads `HTTP/1.1 200 OK` and its line end. Like curl and browsers, it accepts upper and lower case, several blanks before the status, any
 * reason phrase or none, and `HTTP/2.0`, which some servers send although they use HTTP/1.1. It skips empty lines before the status line.
 */
export class StatusLine {
  status = 0;
  minorVersion = 1;
  done = false;
  refusal: Refusal | null = null;
  /** Whether a byte of the response has arrived. */
  begun = false;
  private at = IN_PROTOCOL;
  /** Position within the protocol or the status. */
  private index = 0;

  reset(): void {
    this.status = 0;
    this.minorVersion = 1;
    this.done = false;
    this.refusal = null;
    this.begun = false;
    this.at = IN_PROTOCOL;
    this.index = 0;
  }

  /**
   * Reads from `position`. Returns the position where it stopped: after the line when `done`, at the offending byte if refused, otherwise
   * at `end`.
   */
  feed(buffer: Uint8Array, position: number, end: number): number {
    let next = position;
    while (next < end) {
      if (this.at === REASON) {
        while (next < end && buffer[next] !== CR && buffer[next] !== LF && buffer[next] !== NUL) next += 1;
        if (next === end) break;
      }
      this.refusal = this.take(buffer[next] ?? 0);
      if (this.refusal !== null) break;
      next += 1;
      if (this.done) break;
    }
    return next;
  }

  private take(byte: number): Refusal | null {
    switch (this.at) {
      case IN_PROTOCOL:
        return this.protocolByte(byte);
      case STATUS:
        return this.statusByte(byte);
      case AFTER_STATUS:
        if (byte >= DIGIT_0 && byte <= DIGIT_9) return 'BAD_STATUS';
        this.at = REASON;
        return this.reasonByte(byte);
      case REASON:
        return this.reasonByte(byte);
      case LINE_LF:
        this.done = byte === LF;
        return byte === LF || byte === CR ? null : 'BARE_CR';
      case BLANKS:
        if (byte === SP) return null;
        this.at = STATUS;
        this.index = 0;
        return this.statusByte(byte);
      default:
        return this.versionByte(byte);
    }
  }

  private protocolByte(byte: number): Refusal | null {
    if (this.index === 0 && (byte === CR || byte === LF)) return null;
    this.begun = true;
    const lower = this.index < SLASH_AT ? byte | TO_LOWER_CASE : byte;
    if (lower !== PROTOCOL[this.index]) return 'NOT_HTTP';
    this.index += 1;
    if (this.index === PROTOCOL.length) this.at = MAJOR;
    return null;
  }

  private versionByte(byte: number): Refusal | null {
    const next = this.stateAfterVersionByte(byte);
    this.at = next ?? this.at;
    return next === null ? 'BAD_VERSION' : null;
  }

  private stateAfterVersionByte(byte: number): number | null {
    switch (this.at) {
      case MAJOR:
        if (byte === DIGIT_2) return AFTER_2;
        return byte === DIGIT_1 ? DOT_OF_1 : null;
      case DOT_OF_1:
        return byte === DOT ? MINOR_OF_1 : null;
      case MINOR_OF_1:
        this.minorVersion = byte - DIGIT_0;
        return byte === DIGIT_0 || byte === DIGIT_1 ? BEFORE_STATUS : null;
      case MINOR_OF_2:
        return byte === DIGIT_0 ? BEFORE_STATUS : null;
      case AFTER_2:
        if (byte === DOT) return MINOR_OF_2;
        return byte === SP ? BLANKS : null;
      default:
        return byte === SP ? BLANKS : null;
    }
  }

  private statusByte(byte: number): Refusal | null {
    if (byte < DIGIT_0 || byte > DIGIT_9 || (this.index === 0 && byte === DIGIT_0)) return 'BAD_STATUS';
    this.status = this.status * 10 + (byte - DIGIT_0);
    this.index += 1;
    if (this.index === STATUS_DIGITS) this.at = AFTER_STATUS;
    return null;
  }

  private reasonByte(byte: number): Refusal | null {
    if (byte === CR) this.at = LINE_LF;
    this.done = byte === LF;
    return byte === NUL ? 'BAD_STATUS' : null;
  }
}
