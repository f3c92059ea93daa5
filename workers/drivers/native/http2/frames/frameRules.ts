/** Length of a frame head (RFC 9113, section 4.1). */
export const FRAME_HEAD_BYTES = 9;

export const DATA = 0;
export const HEADERS = 1;
export const PRIORITY = 2;
export const RST_STREAM = 3;
export const SETTINGS = 4;
const PUSH_PROMISE = 5;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;

/** Flag of SETTINGS and PING. */
export const ACK = 0x01;
/** Flag of DATA and HEADERS. */
export const END_STREAM = 0x01;
export const END_HEADERS = 0x04;
export const PADDED = 0x08;
export const HAS_PRIORITY = 0x20;

export const SETTING_BYTES = 6;
export const PRIORITY_BYTES = 5;
export const PING_BYTES = 8;
/** Length of the last stream and the error code, after which debug data may follow. */
export const GOAWAY_BYTES = 8;
/** Length of the payload of RST_STREAM and WINDOW_UPDATE. */
export const WORD_BYTES = 4;
/** Mask that removes the reserved bit of a stream number or an increment. */
export const NUMBER_MASK = 0x7fff_ffff;

/** Error codes of RFC 9113, section 7. */
export const H2_ERRORS = {
  NO_ERROR: 0x0,
  PROTOCOL_ERROR: 0x1,
  INTERNAL_ERROR: 0x2,
  FLOW_CONTROL_ERROR: 0x3,
  SETTINGS_TIMEOUT: 0x4,
  STREAM_CLOSED: 0x5,
  FRAME_SIZE_ERROR: 0x6,
  REFUSED_STREAM: 0x7,
  CANCEL: 0x8,
  COMPRESSION_ERROR: 0x9,
  CONNECT_ERROR: 0xa,
  ENHANCE_YOUR_CALM: 0xb,
  INADEQUATE_SECURITY: 0xc,
  HTTP_1_1_REQUIRED: 0xd,
} as const;

/** Why a connection ends: the code for the peer, and the error name in the request outcomes. The meaning of the name never changes. */
export interface FrameError {
  /** Error code (RFC 9113, section 7). */
  readonly code: number;
  readonly reason: string;
}

const protocol = (reason: string): FrameError => ({ code: H2_ERRORS.PROTOCOL_ERROR, reason });
const excessError = (reason: string): FrameError => ({ code: H2_ERRORS.ENHANCE_YOUR_CALM, reason });

/** Protocol errors of a server. RFC 9113, section 5.4.1, allows ending the connection even if only a stream is wrong. */
export const FRAME_ERRORS = {
  /** The length is invalid for the frame type, or exceeds the limit of Holdfast. */
  size: { code: H2_ERRORS.FRAME_SIZE_ERROR, reason: 'H2_FRAME_SIZE' },
  /** There is a stream number although none is allowed, or stream 0 although a number is required. */
  stream: protocol('H2_BAD_STREAM'),
  /** A header block was interrupted, or a continuation has no beginning. */
  order: protocol('H2_BAD_ORDER'),
  padding: protocol('H2_BAD_PADDING'),
  /** The server pushes, although the settings of Holdfast disable this. */
  push: protocol('H2_PUSH'),
  /** A window update has the increment 0. */
  increment: protocol('H2_BAD_INCREMENT'),
  blockTooLarge: excessError('H2_BLOCK_TOO_LARGE'),
  emptyFrames: excessError('H2_EMPTY_FRAMES'),
  tooManySettings: excessError('H2_TOO_MANY_SETTINGS'),
} as const satisfies Record<string, FrameError>;

/** Maximum number of settings in a frame: the RFC defines six settings, and extensions add a few. */
const MAX_SETTINGS = 100;

/**
 * Returns what is wrong with a frame head (RFC 9113, section 6), or null. `openBlock` is the stream with an incomplete header block, or 0.
 */
export function faultOfHead(type: number, flags: number, stream: number, length: number, openBlock: number): FrameError | null {
  if (openBlock !== 0 && (type !== CONTINUATION || stream !== openBlock)) return FRAME_ERRORS.order;
  switch (type) {
    case DATA:
    case HEADERS:
      if (stream === 0) return FRAME_ERRORS.stream;
      return length < minBytes(type, flags) ? FRAME_ERRORS.size : null;
    case PRIORITY:
      return faultOfFixed(stream !== 0, length === PRIORITY_BYTES);
    case RST_STREAM:
      return faultOfFixed(stream !== 0, length === WORD_BYTES);
    case SETTINGS:
      if (length > MAX_SETTINGS * SETTING_BYTES) return FRAME_ERRORS.tooManySettings;
      return faultOfFixed(stream === 0, (flags & ACK) === 0 ? length % SETTING_BYTES === 0 : length === 0);
    case PUSH_PROMISE:
      return FRAME_ERRORS.push;
    case PING:
      return faultOfFixed(stream === 0, length === PING_BYTES);
    case GOAWAY:
      return faultOfFixed(stream === 0, length >= GOAWAY_BYTES);
    case WINDOW_UPDATE:
      return faultOfFixed(true, length === WORD_BYTES);
    case CONTINUATION:
      return openBlock === 0 ? FRAME_ERRORS.order : null;
    default:
      return null;
  }
}

function faultOfFixed(isRightStream: boolean, isRightLength: boolean): FrameError | null {
  if (!isRightStream) return FRAME_ERRORS.stream;
  return isRightLength ? null : FRAME_ERRORS.size;
}

function minBytes(type: number, flags: number): number {
  const padLength = (flags & PADDED) === 0 ? 0 : 1;
  return type === HEADERS && (flags & HAS_PRIORITY) !== 0 ? padLength + PRIORITY_BYTES : padLength;
}

/** Returns whether a frame has no effect. A frame that ends its stream has an effect, and a stream ends only once. */
export function isEmptyFrame(type: number, flags: number, length: number): boolean {
  return length === 0 && !((type === DATA || type === HEADERS) && (flags & END_STREAM) !== 0);
}
