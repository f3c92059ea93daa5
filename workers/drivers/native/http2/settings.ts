import { DEFAULT_LIMITS } from '#workers/framer/framer.ts';
import { STREAM_WINDOW } from './flowControl.ts';
import type { FrameError } from './frames/frameReader.ts';
import { H2_ERRORS } from './frames/writeFrames.ts';

/** The same limit as for the head of an HTTP/1 response, which matches browsers. */
export const MAX_HEADER_LIST_BYTES = DEFAULT_LIMITS.limitHeadBytes;
const HEADER_TABLE_SIZE = 1;
const ENABLE_PUSH = 2;
const MAX_CONCURRENT_STREAMS = 3;
const INITIAL_WINDOW_SIZE = 4;
const MAX_FRAME_SIZE = 5;
const MAX_HEADER_LIST_SIZE = 6;

/** Our settings: no push, and windows as in browsers. */
export const SETTINGS: readonly (readonly [id: number, value: number])[] = [
  [ENABLE_PUSH, 0],
  [INITIAL_WINDOW_SIZE, STREAM_WINDOW],
  [MAX_HEADER_LIST_SIZE, MAX_HEADER_LIST_BYTES],
];

/** Limit above which a setting means no limit. */
const MAX_STREAMS = 1_000_000;

/** Settings of the server. */
export interface PeerSettings {
  readonly headerTableBytes: number;
  readonly maxConcurrentStreams: number;
  readonly initialWindow: number;
  readonly maxFrameBytes: number;
}

/** Defaults of RFC 9113, section 6.5.2. */
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
        // Larger frames would only delay the responses behind them.
        maxFrameBytes = Math.min(value, 65_536);
        break;
      default:
    }
  }
  return { headerTableBytes, maxConcurrentStreams, initialWindow, maxFrameBytes };
}

const NAMES = new Map<number, string>(Object.entries(H2_ERRORS).map(([name, code]) => [code, name]));

/** Returns the name of an error code of RFC 9113, section 7. Unknown codes are named by their number. */
export function http2ErrorName(code: number): string {
  return NAMES.get(code) ?? `ERROR_${code}`;
}
