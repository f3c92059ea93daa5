import { DEFAULT_LIMITS } from '#framer/framer.ts';
import type { FrameError } from './frames/frameReader.ts';
import { H2_ERRORS } from './frames/writeFrames.ts';

/** Receive windows as in browsers: of one stream, and of all streams of a connection. */
const STREAM_WINDOW = 6_291_456;
const CONNECTION_WINDOW = 15_728_640;
/** Initial window of a connection and of each stream (RFC 9113, section 6.9.2). */
const INITIAL_WINDOW = 65_535;

/** Flow-control windows of an HTTP/2 connection, in bytes of bodies including their padding. */
export class FlowControl {
  /** Maximum window size (RFC 9113, section 6.9.1). */
  static readonly MAX_WINDOW = 2 ** 31 - 1;
  /** Number of bytes that the server still accepts from all streams together. */
  sendWindow = INITIAL_WINDOW;
  /** Increment of the first window update, which grants the server the window of a browser. */
  readonly firstUpdate = CONNECTION_WINDOW - INITIAL_WINDOW;
  private unacknowledgedBytes = 0;

  /** Widens the send window. Returns false if the window would exceed the maximum. */
  widen(increment: number): boolean {
    this.sendWindow += increment;
    return this.sendWindow <= FlowControl.MAX_WINDOW;
  }

  /**
   * Counts received bytes. Returns the increment to grant to the server: 0 if nothing is granted yet, −1 if the server exceeded its window.
   */
  received(bytes: number): number {
    this.unacknowledgedBytes += bytes;
    if (this.unacknowledgedBytes > CONNECTION_WINDOW) return -1;
    if (this.unacknowledgedBytes < CONNECTION_WINDOW / 2) return 0;
    const update = this.unacknowledgedBytes;
    this.unacknowledgedBytes = 0;
    return update;
  }

  /** Does the same as `received` for one stream, which has received `received` bytes since its last window update. */
  streamUpdate(received: number): number {
    if (received > STREAM_WINDOW) return -1;
    return received < STREAM_WINDOW / 2 ? 0 : received;
  }
}

/** Maximum size of a header list, the same as for the head of an HTTP/1 response, which matches browsers. */
export const MAX_HEADER_LIST_BYTES = DEFAULT_LIMITS.limitHeadBytes;
const HEADER_TABLE_SIZE = 1;
const ENABLE_PUSH = 2;
const MAX_CONCURRENT_STREAMS = 3;
const INITIAL_WINDOW_SIZE = 4;
const MAX_FRAME_SIZE = 5;
const MAX_HEADER_LIST_SIZE = 6;

/** The settings of Holdfast: no push, and windows as in browsers. */
export const SETTINGS: readonly (readonly [id: number, value: number])[] = [
  [ENABLE_PUSH, 0],
  [INITIAL_WINDOW_SIZE, STREAM_WINDOW],
  [MAX_HEADER_LIST_SIZE, MAX_HEADER_LIST_BYTES],
];

/** Maximum limit of streams; a larger setting means no limit. */
const MAX_STREAMS = 1_000_000;

export interface PeerSettings {
  readonly headerTableBytes: number;
  readonly maxConcurrentStreams: number;
  readonly initialWindow: number;
  readonly maxFrameBytes: number;
}

/** Default settings of the server (RFC 9113, section 6.5.2). */
export const PEER_DEFAULTS: PeerSettings = {
  headerTableBytes: 4_096,
  maxConcurrentStreams: MAX_STREAMS,
  initialWindow: 65_535,
  maxFrameBytes: 16_384,
};

const MAX_WINDOW_BYTES = 2 ** 31 - 1;
const MAX_FRAME_BYTES = 2 ** 24 - 1;

/** Returns the updated settings of the server, or a protocol error. Unknown settings are skipped. */
export function readSettings(before: PeerSettings, entries: readonly (readonly [id: number, value: number])[]): PeerSettings | FrameError {
  let { headerTableBytes, maxConcurrentStreams, initialWindow, maxFrameBytes } = before;
  for (const [id, value] of entries) {
    switch (id) {
      case HEADER_TABLE_SIZE:
        headerTableBytes = value;
        break;
      case ENABLE_PUSH:
        // A server must not enable push (RFC 9113, section 6.5.2).
        if (value !== 0) return { code: H2_ERRORS.PROTOCOL_ERROR, reason: 'H2_BAD_SETTINGS' };
        break;
      case MAX_CONCURRENT_STREAMS:
        maxConcurrentStreams = Math.min(value, MAX_STREAMS);
        break;
      case INITIAL_WINDOW_SIZE:
        if (value > MAX_WINDOW_BYTES) return { code: H2_ERRORS.FLOW_CONTROL_ERROR, reason: 'H2_FLOW_CONTROL' };
        initialWindow = value;
        break;
      case MAX_FRAME_SIZE:
        if (value < 16_384 || value > MAX_FRAME_BYTES) return { code: H2_ERRORS.PROTOCOL_ERROR, reason: 'H2_BAD_SETTINGS' };
        // Larger frames would only delay the responses that wait for them.
        maxFrameBytes = Math.min(value, 65_536);
        break;
      default:
    }
  }
  return { headerTableBytes, maxConcurrentStreams, initialWindow, maxFrameBytes };
}

const ERROR_NAMES = new Map<number, string>(Object.entries(H2_ERRORS).map(([name, code]) => [code, name]));

/** Returns the name of an error code of RFC 9113, section 7. The name of an unknown code is its number. */
export function http2ErrorName(code: number): string {
  return ERROR_NAMES.get(code) ?? `ERROR_${code}`;
}
