/** Receive windows as in browsers: of one stream, and of all streams of a connection. */
export const STREAM_WINDOW = 6_291_456;
const CONNECTION_WINDOW = 15_728_640;
/** Initial window (RFC 9113, section 6.9.2). */
const INITIAL_WINDOW = 65_535;

/** Flow-control windows of an HTTP/2 connection, in bytes of bodies including their padding. */
export class FlowControl {
  /** Maximum window size (RFC 9113, section 6.9.1). */
  static readonly MAX_WINDOW = 2 ** 31 - 1;
  /** Bytes that the server accepts from all streams together. */
  sendWindow = INITIAL_WINDOW;
  /** Initial window update, which grants the server the window of a browser. */
  readonly firstUpdate = CONNECTION_WINDOW - INITIAL_WINDOW;
  private unacknowledgedBytes = 0;

  /** Widens the send window. Returns false if the window would exceed the maximum. */
  widen(increment: number): boolean {
    this.sendWindow += increment;
    return this.sendWindow <= FlowControl.MAX_WINDOW;
  }

  /** Counts received bytes. Returns the increment to grant to the server: 0 for none so far, −1 if the server exceeded its window. */
  received(bytes: number): number {
    this.unacknowledgedBytes += bytes;
    if (this.unacknowledgedBytes > CONNECTION_WINDOW) return -1;
    if (this.unacknowledgedBytes < CONNECTION_WINDOW / 2) return 0;
    const update = this.unacknowledgedBytes;
    this.unacknowledgedBytes = 0;
    return update;
  }

  /** Returns the same for one stream that has received `received` bytes since its last window update. */
  streamUpdate(received: number): number {
    if (received > STREAM_WINDOW) return -1;
    return received < STREAM_WINDOW / 2 ? 0 : received;
  }
}
