import { CollectedBytes } from '#workers/collectedBytes.ts';
import {
  faultOfHead,
  FRAME_ERRORS,
  type FrameError,
  isEmptyFrame,
  ACK,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  FRAME_HEAD_BYTES,
  GOAWAY,
  GOAWAY_BYTES,
  HAS_PRIORITY,
  HEADERS,
  NUMBER_MASK,
  PADDED,
  PING,
  PRIORITY,
  PRIORITY_BYTES,
  RST_STREAM,
  SETTING_BYTES,
  SETTINGS,
} from './frameRules.ts';

export type { FrameError } from './frameRules.ts';

export interface FrameLimits {
  /** Maximum length of the payload of a frame: the SETTINGS_MAX_FRAME_SIZE that Holdfast announced. */
  readonly maxFrameBytes: number;
  /** Maximum length of a header block over all its frames. */
  readonly maxBlockBytes: number;
  /** Maximum number of consecutive empty frames. */
  readonly maxEmptyFrames: number;
}

export const DEFAULT_FRAME_LIMITS: FrameLimits = { maxFrameBytes: 16_384, maxBlockBytes: 262_144, maxEmptyFrames: 1_000 };

const STATE_HEAD = 0;
const STATE_PAD_LENGTH = 1;
const STATE_BODY = 2;
const STATE_PADDING = 3;
const STATE_SKIPPED = 4;
const STATE_WHOLE = 5;

/**
 * Parses the frames of one connection (RFC 9113, sections 4 and 6) from shared, reused read buffers, however they are split. Bodies, and
 * frames that are complete in the buffer, are not copied and cause no allocations.
 */
export class FrameReader {
  private readonly listener: FrameListener;
  private readonly limits: FrameLimits;
  private error: FrameError | null = null;
  private part = STATE_HEAD;
  private readonly head = new CollectedBytes();
  private readonly payload = new CollectedBytes();
  private readonly block = new CollectedBytes();
  /** Number of the stream with an incomplete header block; 0 if there is none. */
  private openBlock = 0;
  private endsStream = false;
  private emptyFrames = 0;
  private length = 0;
  private type = 0;
  private flags = 0;
  private stream = 0;
  /** Number of payload bytes that have not arrived. */
  private left = 0;
  /** Number of padding bytes at the end of `left`. */
  private padding = 0;

  constructor(listener: FrameListener, limits: FrameLimits = DEFAULT_FRAME_LIMITS) {
    this.listener = listener;
    this.limits = limits;
  }

  /** Reads all bytes. Returns null, or the error that ends the connection; after an error, this and later calls read nothing more. */
  feed(buffer: Buffer, start: number, end: number): FrameError | null {
    let next = start;
    while (next < end && this.error === null) {
      switch (this.part) {
        case STATE_HEAD:
          next = this.feedHead(buffer, next, end);
          break;
        case STATE_PAD_LENGTH:
          next = this.feedPadLength(buffer, next);
          break;
        case STATE_WHOLE:
          next = this.feedWhole(buffer, next, end);
          break;
        default:
          next = this.feedPassing(buffer, next, end);
      }
    }
    return this.error;
  }

  private feedHead(buffer: Buffer, position: number, end: number): number {
    const { head } = this;
    if (head.length === 0 && end - position >= FRAME_HEAD_BYTES) {
      this.beginFrame(buffer, position);
      return position + FRAME_HEAD_BYTES;
    }
    const next = Math.min(end, position + FRAME_HEAD_BYTES - head.length);
    head.add(buffer, position, next);
    if (head.length === FRAME_HEAD_BYTES) {
      head.clear();
      this.beginFrame(head.bytes, 0);
    }
    return next;
  }

  private beginFrame(bytes: Buffer, at: number): void {
    const length = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const type = bytes[at + 3] ?? 0;
    const flags = bytes[at + 4] ?? 0;
    const stream = wordAt(bytes, at + 5) & NUMBER_MASK;
    this.length = length;
    this.left = length;
    this.type = type;
    this.flags = flags;
    this.stream = stream;
    this.padding = 0;
    this.emptyFrames = isEmptyFrame(type, flags, length) ? this.emptyFrames + 1 : 0;
    if (length > this.limits.maxFrameBytes) this.error = FRAME_ERRORS.size;
    else if (this.emptyFrames > this.limits.maxEmptyFrames) this.error = FRAME_ERRORS.emptyFrames;
    else this.error = faultOfHead(type, flags, stream, length, this.openBlock);
    if (this.error !== null) return;
    this.part = partOf(type, flags);
    if (length > 0) return;
    if (this.part === STATE_WHOLE) this.endWhole(bytes, 0, 0);
    else this.endFrame();
  }

  /** Reads the pad length of a DATA frame. It counts for flow control, as the padding does. */
  private feedPadLength(buffer: Buffer, position: number): number {
    this.left -= 1;
    this.padding = buffer[position] ?? 0;
    if (this.padding > this.left) this.error = FRAME_ERRORS.padding;
    else {
      this.part = this.left > this.padding ? STATE_BODY : STATE_PADDING;
      this.error = this.listener.onData(this.stream, buffer, position, position, 1);
      if (this.left === 0) this.endFrame();
    }
    return position + 1;
  }

  /** Reads payload that is passed on in parts: bodies, their padding, and skipped frames. */
  private feedPassing(buffer: Buffer, position: number, end: number): number {
    const wanted = this.part === STATE_BODY ? this.left - this.padding : this.left;
    const next = Math.min(end, position + wanted);
    this.left -= next - position;
    if (this.part === STATE_BODY) {
      this.error = this.listener.onData(this.stream, buffer, position, next, next - position);
      if (this.left === this.padding) this.part = STATE_PADDING;
    } else if (this.part === STATE_PADDING) this.error = this.listener.onData(this.stream, buffer, next, next, next - position);
    if (this.left === 0) this.endFrame();
    return next;
  }

  private endFrame(): void {
    this.part = STATE_HEAD;
    if (this.error === null && this.type === DATA && (this.flags & END_STREAM) !== 0) this.error = this.listener.onDataEnd(this.stream);
  }

  private feedWhole(buffer: Buffer, position: number, end: number): number {
    const { payload, length } = this;
    if (payload.length === 0 && end - position >= length) {
      this.endWhole(buffer, position, position + length);
      return position + length;
    }
    const next = Math.min(end, position + length - payload.length);
    payload.add(buffer, position, next);
    if (payload.length === length) {
      payload.clear();
      this.endWhole(payload.bytes, 0, length);
    }
    return next;
  }

  private endWhole(buffer: Buffer, start: number, end: number): void {
    this.part = STATE_HEAD;
    this.error = this.takeWhole(buffer, start, end);
  }

  private takeWhole(buffer: Buffer, start: number, end: number): FrameError | null {
    const { listener, stream, flags } = this;
    switch (this.type) {
      case HEADERS:
        return this.takeHeaders(buffer, start, end);
      case CONTINUATION:
        return this.takeFragment(buffer, start, end);
      case RST_STREAM:
        return listener.onReset(stream, wordAt(buffer, start) >>> 0);
      case SETTINGS:
        return (flags & ACK) === 0 ? listener.onSettings(readSettings(buffer, start, end)) : listener.onSettingsAck();
      case PING:
        return (flags & ACK) === 0 ? listener.onPing(Buffer.from(buffer.subarray(start, end))) : null;
      case GOAWAY: {
        const debug = Buffer.from(buffer.subarray(start + GOAWAY_BYTES, end));
        return listener.onGoAway(wordAt(buffer, start) & NUMBER_MASK, wordAt(buffer, start + 4) >>> 0, debug);
      }
      default: {
        const increment = wordAt(buffer, start) & NUMBER_MASK;
        return increment === 0 ? FRAME_ERRORS.increment : listener.onWindowUpdate(stream, increment);
      }
    }
  }

  private takeHeaders(buffer: Buffer, start: number, end: number): FrameError | null {
    const isPadded = (this.flags & PADDED) !== 0;
    const from = start + (isPadded ? 1 : 0) + ((this.flags & HAS_PRIORITY) === 0 ? 0 : PRIORITY_BYTES);
    const to = end - (isPadded ? (buffer[start] ?? 0) : 0);
    if (to < from) return FRAME_ERRORS.padding;
    this.endsStream = (this.flags & END_STREAM) !== 0;
    return this.takeFragment(buffer, from, to);
  }

  private takeFragment(buffer: Buffer, start: number, end: number): FrameError | null {
    const { block, listener, stream, endsStream } = this;
    if (block.length + end - start > this.limits.maxBlockBytes) return FRAME_ERRORS.blockTooLarge;
    const isLast = (this.flags & END_HEADERS) !== 0;
    this.openBlock = isLast ? 0 : stream;
    if (isLast && block.length === 0) return listener.onHeaders(stream, buffer, start, end, endsStream);
    block.add(buffer, start, end);
    if (!isLast) return null;
    const { length } = block;
    block.clear();
    return listener.onHeaders(stream, block.bytes, 0, length, endsStream);
  }
}

/** Returns a big-endian 32-bit integer, which may be negative. */
function wordAt(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
}

function partOf(type: number, flags: number): number {
  if (type === DATA) return (flags & PADDED) === 0 ? STATE_BODY : STATE_PAD_LENGTH;
  return type > CONTINUATION || type === PRIORITY ? STATE_SKIPPED : STATE_WHOLE;
}

function readSettings(buffer: Buffer, start: number, end: number): (readonly [id: number, value: number])[] {
  const entries: (readonly [number, number])[] = [];
  for (let at = start; at < end; at += SETTING_BYTES) entries.push([buffer.readUInt16BE(at), buffer.readUInt32BE(at + 2)]);
  return entries;
}

/**
 * Receives each frame while it is read. Buffers belong to the read and are valid only until the method returns, unless stated otherwise. A
 * returned error ends the reading, as errors of the reader do.
 */
export interface FrameListener {
  /**
   * Called with a part of a body, possibly several times per frame. The sum of the `flowBytes` of a frame is its length including padding.
   */
  onData(stream: number, buffer: Buffer, start: number, end: number, flowBytes: number): FrameError | null;
  /** Called after the last byte of the body. */
  onDataEnd(stream: number): FrameError | null;
  /** Called with a complete header block. */
  onHeaders(stream: number, buffer: Buffer, start: number, end: number, endStream: boolean): FrameError | null;
  onReset(stream: number, code: number): FrameError | null;
  onSettings(entries: readonly (readonly [id: number, value: number])[]): FrameError | null;
  onSettingsAck(): FrameError | null;
  /** Called with a ping that is not an acknowledgement. `opaque` may be kept. */
  onPing(opaque: Buffer): FrameError | null;
  /** Called when the server ends the connection. `debug` may be kept. */
  onGoAway(lastStream: number, code: number, debug: Buffer): FrameError | null;
  /** Called with a window update. Stream 0 means the whole connection. */
  onWindowUpdate(stream: number, increment: number): FrameError | null;
}
