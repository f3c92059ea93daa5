import { CR, DIGIT_0, DIGIT_1, DIGIT_9, DOT, LF, SP } from './bytes.ts';
import type { Refusal } from './refusals.ts';

const PROTOCOL = Uint8Array.from('HTTP/', (character) => character.charCodeAt(0));
const MAJOR_AT = 5;
const DOT_AT = 6;
const MINOR_AT = 7;
const SPACE_AT = 8;
const STATUS_AT = 9;
const AFTER_STATUS_AT = 12;
const REASON_AT = 13;
const LF_AT = 14;

/** Reads `HTTP/1.1 200 OK` CRLF. Empty lines before it are skipped, as every client does. */
export class StatusLine {
  status = 0;
  minorVersion = 1;
  done = false;
  refusal: Refusal | null = null;
  /** Whether a byte of the response has been seen. */
  begun = false;
  private at = 0;

  reset(): void {
    this.status = 0;
    this.minorVersion = 1;
    this.done = false;
    this.refusal = null;
    this.begun = false;
    this.at = 0;
  }

  /** Reads from `position`; returns where it stopped: behind the line when `done`, at the offending byte when refused, else at `end`. */
  feed(buffer: Uint8Array, position: number, end: number): number {
    let next = position;
    while (next < end) {
      if (this.at === REASON_AT) {
        while (next < end && buffer[next] !== CR && buffer[next] !== LF) next += 1;
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
    const at = this.at;
    switch (at) {
      case 0:
        if (byte === CR || byte === LF) return null;
        this.begun = true;
        break;
      case MAJOR_AT:
        if (byte !== DIGIT_1) return 'BAD_VERSION';
        break;
      case DOT_AT:
        if (byte !== DOT) return 'BAD_VERSION';
        break;
      case MINOR_AT:
        if (byte !== DIGIT_0 && byte !== DIGIT_1) return 'BAD_VERSION';
        this.minorVersion = byte - DIGIT_0;
        break;
      case SPACE_AT:
        if (byte !== SP) return 'BAD_VERSION';
        break;
      case AFTER_STATUS_AT:
        return this.afterStatus(byte);
      case REASON_AT:
        if (byte === LF) return 'BARE_LF';
        break;
      case LF_AT:
        if (byte !== LF) return 'BARE_CR';
        this.done = true;
        break;
      default:
    }
    if (at < MAJOR_AT && byte !== PROTOCOL[at]) return 'NOT_HTTP';
    if (at >= STATUS_AT && at < AFTER_STATUS_AT) {
      if (byte < DIGIT_0 || byte > DIGIT_9 || (at === STATUS_AT && byte === DIGIT_0)) return 'BAD_STATUS';
      this.status = this.status * 10 + (byte - DIGIT_0);
    }
    this.at = at + 1;
    return null;
  }

  private afterStatus(byte: number): Refusal | null {
    if (byte === LF) return 'BARE_LF';
    if (byte !== SP && byte !== CR) return 'BAD_STATUS';
    this.at = byte === SP ? REASON_AT : LF_AT;
    return null;
  }
}
