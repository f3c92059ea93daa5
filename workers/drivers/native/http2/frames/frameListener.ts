import type { FrameError } from './frameRules.ts';

/**
 * Is told of each frame while it is read. Buffers are those of the read: valid only until the method returns, except where it says
 * otherwise. What a method returns ends the reading, as what the reader itself finds wrong does.
 */
export interface FrameListener {
  /** A part of a body; may be called several times for a frame. The `flowBytes` of a frame sum to its length, padding included. */
  onData(stream: number, buffer: Buffer, start: number, end: number, flowBytes: number): FrameError | null;
  /** Behind the last byte of the body. */
  onDataEnd(stream: number): FrameError | null;
  /** A whole header block. */
  onHeaders(stream: number, buffer: Buffer, start: number, end: number, endStream: boolean): FrameError | null;
  onReset(stream: number, code: number): FrameError | null;
  onSettings(entries: readonly (readonly [id: number, value: number])[]): FrameError | null;
  onSettingsAck(): FrameError | null;
  /** Not for those that acknowledge ours. `opaque` may be kept. */
  onPing(opaque: Buffer): FrameError | null;
  /** `debug` may be kept. */
  onGoAway(lastStream: number, code: number, debug: Buffer): FrameError | null;
  /** Of stream 0 for the whole connection. */
  onWindowUpdate(stream: number, increment: number): FrameError | null;
}
