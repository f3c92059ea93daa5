import { isUtf8 } from 'node:buffer';
import { CollectedBytes } from '#workers/collectedBytes.ts';
import {
  BINARY,
  CLOSE,
  CONTINUATION,
  type Fault,
  FAULTS,
  FINAL_FLAG,
  MASK_FLAG,
  isCloseCode,
  NO_STATUS_CODE,
  OPCODE,
  PING,
  PONG,
  RESERVED_FLAGS,
  RSV1,
  TEXT,
} from './writeFrames.ts';

export type { Fault } from './writeFrames.ts';

/**
 * Receives the messages of a server. Buffers belong to the read and are valid only until the method returns. Nothing is called after
 * `onClose` and `onBroken`.
 */
export interface MessageListener {
  /** Called with a complete, decompressed message. If it is text, it is valid UTF-8. */
  onMessage(isText: boolean, buffer: Buffer, start: number, end: number): void;
  /** Called for a ping. It requires a pong with the same bytes, which are at most 125. */
  onPing(buffer: Buffer, start: number, end: number): void;
  onPong(buffer: Buffer, start: number, end: number): void;
  /**
   * Called for the server's close frame. The code is 1005 if it has none. It requires a close frame in reply, unless the client has already
   * sent one.
   */
  onClose(code: number, reason: string): void;
  /** Called for a protocol error or an exceeded limit. The connection then ends with `closeCode` in a close frame. */
  onBroken(fault: Fault, closeCode: number): void;
}

/** Decompresses the messages of a connection; see `Inflater`. */
export interface MessageInflater {
  /** Returns the decompressed message, or the error. */
  inflate(buffer: Buffer, start: number, end: number): Buffer | Fault;
}

export interface MessageLimits {
  /** Maximum size of one message, compressed and decompressed. */
  readonly maxMessageBytes: number;
  /** Maximum number of frames per message. Frames may be empty. */
  readonly maxFragments: number;
}

export const DEFAULT_MESSAGE_LIMITS: MessageLimits = { maxMessageBytes: 16_777_216, maxFragments: 131_072 };

/** Maximum size of the buffer that a connection keeps for its next split message. */
const MAX_KEPT_BYTES = 16_384;
/** Maximum length of a text for which a loop is faster than `isUtf8`. */
const SHORT_TEXT_BYTES = 128;

const STATE_FIRST_BYTE = 0;
const STATE_SECOND_BYTE = 1;
const STATE_LENGTH = 2;
const STATE_PAYLOAD = 3;
const STATE_CLOSED = 4;

/**
 * Parses the frames of one server (RFC 6455, section 5) from shared, reused read buffers, however they are split. A message of one frame
 * that is complete in the buffer is passed on without copies or allocations. Other messages take at most twice `maxMessageBytes`.
 */
export class FrameReader {
  private readonly listener: MessageListener;
  private readonly inflater: MessageInflater | null;
  private readonly limits: MessageLimits;
  private part = STATE_FIRST_BYTE;
  private message = new CollectedBytes();
  private readonly control = new CollectedBytes();
  /** Whether the current message is text. Continuation frames do not state this. */
  private isText = false;
  private isCompressed = false;
  private isOpen = false;
  private fragments = 0;
  private opcode = 0;
  private isFinal = false;
  private length = 0;
  private minLength = 0;
  /** Number of missing bytes, first of the length, then of the payload. */
  private left = 0;

  /** `inflater` is null if no compression was agreed. */
  constructor(listener: MessageListener, inflater: MessageInflater | null, limits: MessageLimits = DEFAULT_MESSAGE_LIMITS) {
    this.listener = listener;
    this.inflater = inflater;
    this.limits = limits;
  }

  /** Reads all bytes. */
  feed(buffer: Buffer, start: number, end: number): void {
    let at = start;
    while (at < end) {
      switch (this.part) {
        case STATE_FIRST_BYTE:
          this.takeFirst(buffer[at] ?? 0);
          at += 1;
          break;
        case STATE_SECOND_BYTE:
          at += 1;
          this.takeSecond(buffer[at - 1] ?? 0, buffer, at);
          break;
        case STATE_LENGTH:
          at += 1;
          this.takeLength(buffer[at - 1] ?? 0, buffer, at);
          break;
        case STATE_PAYLOAD:
          at = this.takePayload(buffer, at, end);
          break;
        default:
          return;
      }
    }
  }

  /** Stops reading and reporting; may be called from a listener. */
  stop(): void {
    this.part = STATE_CLOSED;
    this.message = new CollectedBytes();
  }

  private takeFirst(byte: number): void {
    const opcode = byte & OPCODE;
    const isControl = opcode >= CLOSE;
    const mayBePacked = this.inflater !== null && (opcode === TEXT || opcode === BINARY);
    this.isFinal = (byte & FINAL_FLAG) !== 0;
    this.opcode = opcode;
    if ((byte & (mayBePacked ? RESERVED_FLAGS & ~RSV1 : RESERVED_FLAGS)) !== 0) this.break('WS_RESERVED_BITS');
    else if (opcode > PONG || (opcode > BINARY && !isControl)) this.break('WS_BAD_OPCODE');
    else if (isControl && !this.isFinal) this.break('WS_BAD_CONTROL');
    else if (!isControl && (opcode === CONTINUATION) !== this.isOpen) this.break('WS_BAD_ORDER');
    else {
      this.part = STATE_SECOND_BYTE;
      if (isControl || this.isOpen) return;
      this.isText = opcode === TEXT;
      this.isCompressed = (byte & RSV1) !== 0;
      this.fragments = 0;
    }
  }

  private takeSecond(byte: number, buffer: Buffer, next: number): void {
    if ((byte & MASK_FLAG) !== 0) this.break('WS_MASKED');
    else if (byte < 126) {
      this.length = byte;
      this.beginPayload(buffer, next);
    } else if (this.opcode >= CLOSE) this.break('WS_BAD_CONTROL');
    else {
      this.part = STATE_LENGTH;
      this.length = 0;
      this.left = byte === 126 ? 2 : 8;
      this.minLength = byte === 126 ? 126 : 65_536;
    }
  }

  private takeLength(byte: number, buffer: Buffer, next: number): void {
    if (this.left === 8 && byte > 127) {
      this.break('WS_BAD_LENGTH');
      return;
    }
    // Above 2^53 the value is inexact, but it is too large in any case.
    this.length = this.length * 256 + byte;
    this.left -= 1;
    if (this.left > 0) return;
    if (this.length < this.minLength) this.break('WS_BAD_LENGTH');
    else this.beginPayload(buffer, next);
  }

  private beginPayload(buffer: Buffer, at: number): void {
    const { limits, length } = this;
    if (this.opcode < CLOSE) {
      this.fragments += 1;
      if (this.message.length + length > limits.maxMessageBytes) this.break('WS_TOO_LARGE');
      else if (this.fragments > limits.maxFragments) this.break('WS_TOO_MANY_FRAGMENTS');
      if (this.part === STATE_CLOSED) return;
    }
    this.part = STATE_PAYLOAD;
    this.left = length;
    if (length === 0) this.takePayload(buffer, at, at);
  }

  private takePayload(buffer: Buffer, at: number, end: number): number {
    const isControl = this.opcode >= CLOSE;
    const collected = isControl ? this.control : this.message;
    const next = Math.min(end, at + this.left);
    this.left -= next - at;
    const isWhole = this.left === 0;
    if (isWhole) this.part = STATE_FIRST_BYTE;
    if (isWhole && this.isFinal && collected.length === 0) this.end(isControl, buffer, at, next);
    else {
      collected.add(buffer, at, next);
      if (isWhole) this.endCollected(isControl, collected);
    }
    return next;
  }

  private endCollected(isControl: boolean, collected: CollectedBytes): void {
    if (!this.isFinal) {
      this.isOpen = true;
      return;
    }
    const { bytes, length } = collected;
    collected.clear();
    if (!isControl && bytes.length > MAX_KEPT_BYTES) this.message = new CollectedBytes();
    this.end(isControl, bytes, 0, length);
  }

  private end(isControl: boolean, buffer: Buffer, start: number, end: number): void {
    if (!isControl) this.endMessage(buffer, start, end);
    else if (this.opcode === CLOSE) this.endClose(buffer, start, end);
    else if (this.opcode === PING) this.listener.onPing(buffer, start, end);
    else this.listener.onPong(buffer, start, end);
  }

  private endMessage(buffer: Buffer, start: number, end: number): void {
    this.isOpen = false;
    if (!this.isCompressed || this.inflater === null) {
      this.report(buffer, start, end);
      return;
    }
    const inflated = this.inflater.inflate(buffer, start, end);
    if (typeof inflated === 'string') this.break(inflated);
    else this.report(inflated, 0, inflated.length);
  }

  private report(buffer: Buffer, start: number, end: number): void {
    if (this.isText && !isText(buffer, start, end)) this.break('WS_BAD_UTF8');
    else this.listener.onMessage(this.isText, buffer, start, end);
  }

  private endClose(buffer: Buffer, start: number, end: number): void {
    const code = end === start ? NO_STATUS_CODE : ((buffer[start] ?? 0) << 8) | (buffer[start + 1] ?? 0);
    const reasonAt = Math.min(end, start + 2);
    if (end - start === 1 || (end > start && !isCloseCode(code))) this.break('WS_BAD_CLOSE');
    else if (!isText(buffer, reasonAt, end)) this.break('WS_BAD_UTF8');
    else {
      this.stop();
      this.listener.onClose(code, buffer.toString('utf8', reasonAt, end));
    }
  }

  private break(fault: Fault): void {
    this.stop();
    this.listener.onBroken(fault, FAULTS[fault]);
  }
}

/** Returns whether bytes are valid UTF-8. */
function isText(buffer: Buffer, start: number, end: number): boolean {
  let at = start;
  if (end - start <= SHORT_TEXT_BYTES) while (at < end && (buffer[at] ?? 0) < 0x80) at += 1;
  return at === end || isUtf8(buffer.subarray(at, end));
}
