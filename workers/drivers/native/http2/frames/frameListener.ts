import type { FrameError } from './frameRules.ts';

/**
 * Receives each frame while it is read. Buffers belong to the read and are valid only until the method returns, unless stated otherwise. A returned error
 * ends the reading, as errors of the reader do.
 */
export interface FrameListener {
  /** A part of a body; may be called several times per frame. The `flowBytes` of a frame sum to its length including padding. */
  onData(stream: number, buffer: Buffer, start: number, end: number, flowBytes: number): FrameError | null;
  /** After the last byte of the body. */
  onDataEnd(stream: number): FrameError | null;
  /** A complete header block. */
  onHeaders(stream: number, buffer: Buffer, start: number, end: number, endStream: boolean): FrameError | null;
  onReset(stream: number, code: number): FrameError | null;
  onSettings(entries: readonly (readonly [id: number, value: number])[]): FrameError | null;
  onSettingsAck(): FrameError | null;
  /** Not called for acknowledgements. `opaque` may be kept. */
  onPing(opaque: Buffer): FrameError | null;
  /** `debug` may be kept. */
  onGoAway(lastStream: number, code: number, debug: Buffer): FrameError | null;
  /** Stream 0 means the whole connection. */
  onWindowUpdate(stream: number, increment: number): FrameError | null;
}
