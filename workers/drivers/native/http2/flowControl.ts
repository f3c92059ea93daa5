/** As browsers have them: what a stream and all of them together may be ahead of their reader. */
export const STREAM_WINDOW = 6_291_456;
const CONNECTION_WINDOW = 15_728_640;
/** RFC 9113, 6.9.2. */
const FIRST_WINDOW = 65_535;

/** The windows of a connection of HTTP/2, in bytes of bodies with their padding. */
export class FlowControl {
  /** No window may be larger (RFC 9113, 6.9.1). */
  static readonly MOST = 2 ** 31 - 1;
  /** What the server takes from all streams together. */
  sendWindow = FIRST_WINDOW;
  /** What the server is told at the beginning, to have the window of a browser. */
  readonly firstUpdate = CONNECTION_WINDOW - FIRST_WINDOW;
  private untold = 0;

  /** False when the server made its window larger than one may be. */
  widen(increment: number): boolean {
    this.sendWindow += increment;
    return this.sendWindow <= FlowControl.MOST;
  }

  /** Takes bytes from the server. By how much its window is to be widened again: 0 for not yet, −1 when it sent more than it had. */
  received(bytes: number): number {
    this.untold += bytes;
    if (this.untold > CONNECTION_WINDOW) return -1;
    if (this.untold < CONNECTION_WINDOW / 2) return 0;
    const update = this.untold;
    this.untold = 0;
    return update;
  }

  /** The same for one stream that has received so many bytes since its window was widened. */
  streamUpdate(received: number): number {
    if (received > STREAM_WINDOW) return -1;
    return received < STREAM_WINDOW / 2 ? 0 : received;
  }
}
