import { ChunkedBody } from './chunkedBody.ts';
import { HeaderFields } from './headerFields.ts';
import type { HeaderPlan, Refusal } from './refusals.ts';
import { SeenHead } from './seenHead.ts';
import { StatusLine } from './statusLine.ts';

export interface FramerLimits {
  /**
   * Maximum number of bytes of a response's status line and headers (each 1xx counts separately), of its trailers, and of the rest of a
   * chunk's size line.
   */
  readonly limitHeadBytes: number;
  /** Maximum number of body bytes without chunk framing. */
  readonly limitBodyBytes: number;
}

/** Heads have the same limit as in browsers. Bodies are only counted, and the time-out of the request ends them. */
export const DEFAULT_LIMITS: FramerLimits = { limitHeadBytes: 262_144, limitBodyBytes: Number.MAX_SAFE_INTEGER };
/** Maximum number of 1xx responses per request. A server that reports the progress of an upload (104) may send one per part. */
export const MAX_INTERIM_RESPONSES = 10_000;

/** Receives body bytes in the read buffer. They are valid only until the call returns. */
export type BodyListener = (buffer: Buffer, start: number, end: number) => void;

const STATUS_LINE = 0;
const HEADERS = 1;
const FIXED_BODY = 2;
const CHUNKED_BODY = 3;
const TRAILERS = 4;
const BODY_UNTIL_CLOSE = 5;
const COMPLETE = 6;

/**
 * Finds where an HTTP/1.1 response ends, in read buffers that are shared and reused. It copies nothing, wherever the bytes are split, and
 * allocates nothing per response unless a header is wanted. It accepts what curl and browsers accept, and refuses responses whose end is
 * ambiguous; drivers/framing.test.ts has the table. One framer reads all responses of one connection in sequence.
 */
export class ResponseFramer {
  /** Number of body bytes of the current response, without framing. */
  bodyBytes = 0;
  refusal: Refusal | null = null;
  /** Number of 1xx responses before the current response. */
  interimResponses = 0;
  /** Called with body bytes; null if nothing needs them. */
  onBody: BodyListener | null = null;
  private readonly limits: FramerLimits;
  private readonly line = new StatusLine();
  private readonly fields: HeaderFields;
  private readonly chunks: ChunkedBody;
  private readonly seen = new SeenHead();
  /** Whether no byte of the response has arrived. `line` and `fields` then still hold the previous head. */
  private isUntouched = true;
  private part = STATUS_LINE;
  private headBytes = 0;
  private remaining = 0;
  private bodyless = false;
  private mayUpgrade = false;
  private untilClose = false;

  constructor(plan: HeaderPlan, limits: FramerLimits = DEFAULT_LIMITS) {
    this.limits = limits;
    this.fields = new HeaderFields(plan);
    this.chunks = new ChunkedBody(limits.limitHeadBytes);
  }

  /** Whether the response is complete. Later bytes do not belong to it. */
  get complete(): boolean {
    return this.part === COMPLETE;
  }

  /** Whether the status line and all headers were read; 1xx responses do not count. */
  get headComplete(): boolean {
    return this.part >= FIXED_BODY;
  }

  /** Whether any byte of a response has arrived, apart from empty lines before the status line. */
  get begun(): boolean {
    return (this.line.begun && !this.isUntouched) || this.part !== STATUS_LINE || this.interimResponses > 0;
  }

  /** Status code; valid once the head is complete. */
  get status(): number {
    return this.line.status;
  }

  /** Minor version of HTTP/1.x; valid once the head is complete. */
  get minorVersion(): number {
    return this.line.minorVersion;
  }

  /** Value of Content-Length in bytes; −1 if there is none. */
  get contentLength(): number {
    return this.fields.contentLength.value;
  }

  /** Values of the headers that the plan wants, in its order. They are valid from the complete head until the next `begin`. */
  get wanted(): readonly (string | undefined)[] {
    return this.fields.wanted;
  }

  /** Sets whether `wanted` is filled from the next response on. */
  keepWanted(keeps: boolean): void {
    if (this.fields.keepsWanted === keeps) return;
    this.fields.keepsWanted = keeps;
    this.seen.forget();
  }

  /** Whether another request may be sent on the connection (RFC 9112, section 9.3). Valid once the response is complete. */
  get keepAlive(): boolean {
    if (this.untilClose || this.refusal !== null) return false;
    const connection = this.fields.connection;
    // RFC 9112, 6.1: framing with Transfer-Encoding in an HTTP/1.0 response counts as faulty, so the connection is not reused.
    if (this.line.minorVersion === 0) return connection.keepAlive && !this.fields.transferEncoding.present;
    return !connection.close;
  }

  /** Whether the Connection header contains `upgrade`. */
  get namesUpgrade(): boolean {
    return this.fields.connection.upgrade;
  }

  /**
   * Prepares for the response to a request that was sent. `head`: whether it is a HEAD request, whose response has no body. `mayUpgrade`:
   * whether the request asks for a protocol upgrade, whose bytes are the body of a 101.
   */
  begin(head: boolean, mayUpgrade = false): void {
    this.bodyless = head;
    this.mayUpgrade = mayUpgrade;
    this.interimResponses = 0;
    this.bodyBytes = 0;
    this.refusal = null;
    this.untilClose = false;
    this.beginResponse();
  }

  /**
   * Reads bytes of the response from `position`. Returns the position where it stopped: after the response if it is `complete`, at or after
   * the offending byte if `refusal` is set, otherwise at `end`.
   */
  feed(buffer: Buffer, position: number, end: number): number {
    let next = position;
    while (next < end && this.refusal === null && this.part !== COMPLETE) {
      switch (this.part) {
        case STATUS_LINE:
        case HEADERS:
        case TRAILERS:
          next = this.feedHead(buffer, next, end);
          break;
        case FIXED_BODY:
          next = this.takeBody(buffer, next, Math.min(end, next + this.remaining));
          if (this.remaining === 0) this.part = COMPLETE;
          break;
        case CHUNKED_BODY:
          next = this.feedChunks(buffer, next, end);
          break;
        default:
          next = this.takeBody(buffer, next, end);
      }
    }
    return next;
  }

  /** Handles the server's FIN: completes a body without a length, and refuses any other incomplete response. */
  finish(): void {
    if (this.part === BODY_UNTIL_CLOSE && this.refusal === null) this.part = COMPLETE;
    else if (this.part !== COMPLETE) this.refusal ??= 'CLOSED_EARLY';
  }

  private beginResponse(): void {
    this.isUntouched = true;
    this.headBytes = 0;
    this.part = STATUS_LINE;
  }

  private feedHead(buffer: Buffer, position: number, end: number): number {
    const isFirst = this.isUntouched;
    if (isFirst) {
      this.isUntouched = false;
      if (this.seen.isAt(buffer, position, end)) {
        this.endHead();
        return position + this.seen.length;
      }
      this.seen.forget();
      this.line.reset();
      this.fields.reset();
    }
    const allowed = this.limits.limitHeadBytes - this.headBytes;
    const stop = Math.min(end, position + allowed);
    let next = position;
    if (this.part === STATUS_LINE) {
      next = this.line.feed(buffer, next, stop);
      this.refusal = this.line.refusal;
      if (this.line.done) this.part = HEADERS;
    }
    if (this.part !== STATUS_LINE) {
      next = this.fields.feed(buffer, next, stop);
      this.refusal = this.fields.refusal;
    }
    this.headBytes += next - position;
    if (this.refusal !== null) return next;
    if (this.fields.done) {
      if (isFirst) this.seen.remember(buffer, position, next);
      this.endHead();
    } else if (this.headBytes >= this.limits.limitHeadBytes) this.refusal = 'HEAD_TOO_LARGE';
    return next;
  }

  private endHead(): void {
    if (this.part === TRAILERS) {
      this.part = COMPLETE;
      return;
    }
    const status = this.line.status;
    if (status < 200) this.endInterim(status);
    else if (this.bodyless || status === 204 || status === 304) this.part = COMPLETE;
    else this.beginBody();
  }

  private endInterim(status: number): void {
    if (status === 101 && this.mayUpgrade) {
      this.untilClose = true;
      this.part = BODY_UNTIL_CLOSE;
      return;
    }
    this.interimResponses += 1;
    if (status === 101) this.refusal = 'UPGRADED';
    else if (this.interimResponses > MAX_INTERIM_RESPONSES) this.refusal = 'TOO_MANY_INTERIM';
    else this.beginResponse();
  }

  private beginBody(): void {
    const length = this.fields.contentLength.value;
    if (length >= 0 && this.fields.transferEncoding.present) this.refusal = 'LENGTH_AND_ENCODING';
    else if (this.fields.transferEncoding.chunked) {
      this.chunks.reset();
      this.part = CHUNKED_BODY;
    } else if (length >= 0) {
      this.remaining = length;
      this.part = length === 0 ? COMPLETE : FIXED_BODY;
      if (length > this.limits.limitBodyBytes) this.refusal = 'BODY_TOO_LARGE';
    } else {
      this.untilClose = true;
      this.part = BODY_UNTIL_CLOSE;
    }
  }

  private takeBody(buffer: Buffer, position: number, stop: number): number {
    const length = stop - position;
    this.bodyBytes += length;
    if (this.part === FIXED_BODY) this.remaining -= length;
    if (this.bodyBytes > this.limits.limitBodyBytes) this.refusal = 'BODY_TOO_LARGE';
    else if (this.onBody !== null) this.onBody(buffer, position, stop);
    return stop;
  }

  private feedChunks(buffer: Buffer, position: number, end: number): number {
    const chunks = this.chunks;
    if (chunks.pending > 0) {
      const next = this.takeBody(buffer, position, Math.min(end, position + chunks.pending));
      chunks.takeData(next - position);
      return next;
    }
    const next = chunks.feed(buffer, position, end);
    this.refusal = chunks.refusal;
    if (chunks.done) {
      this.part = TRAILERS;
      this.headBytes = 0;
      this.fields.resume();
    }
    return next;
  }
}
