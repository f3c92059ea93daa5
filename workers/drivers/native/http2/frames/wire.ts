/** Constants of RFC 9113. */

export const FRAME_HEAD_BYTES = 9;

export const DATA = 0;
export const HEADERS = 1;
export const PRIORITY = 2;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PUSH_PROMISE = 5;
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
/** Last stream and error code; debug data may follow. */
export const GOAWAY_BYTES = 8;
/** Length of RST_STREAM and WINDOW_UPDATE. */
export const WORD_BYTES = 4;
/** Excludes the reserved bit of a stream number or an increment. */
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
