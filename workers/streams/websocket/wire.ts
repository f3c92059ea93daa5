/** Names and numbers of RFC 6455, section 5. */

export const CONTINUATION = 0x0;
export const TEXT = 0x1;
export const BINARY = 0x2;
/** Opcodes from here on are of control frames. */
export const CLOSE = 0x8;
export const PING = 0x9;
export const PONG = 0xa;

/** Of the first byte. */
export const FINAL = 0x80;
export const RESERVED = 0x70;
/** Set in the first frame of a compressed message (RFC 7692). */
export const RSV1 = 0x40;
export const OPCODE = 0x0f;

/** Of the second byte. */
export const HAS_MASK = 0x80;

export const MOST_CONTROL_BYTES = 125;

/** Stands for a close frame without a code, and is never sent. */
export const NO_STATUS = 1005;

/** Whether an endpoint may send the code: those of RFC 6455, those registered since, and those of applications. */
export function isCloseCode(code: number): boolean {
  return (code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)) || (code >= 3000 && code <= 4999);
}

/** What ends a connection of which the server broke the protocol or a limit, and the code of RFC 6455, 7.4.1 for its close frame. */
export const FAULTS = {
  /** A bit whose meaning was not agreed on. */
  WS_RESERVED_BITS: 1002,
  WS_BAD_OPCODE: 1002,
  /** Only clients mask. */
  WS_MASKED: 1002,
  /** Written in more bytes than it needs, or negative. */
  WS_BAD_LENGTH: 1002,
  /** A ping, pong or close that is fragmented, or longer than 125 bytes. */
  WS_BAD_CONTROL: 1002,
  /** The rest of a message that never began, or a message within another. */
  WS_BAD_ORDER: 1002,
  /** A close frame of one byte, or whose code none may send. */
  WS_BAD_CLOSE: 1002,
  WS_BAD_UTF8: 1007,
  /** What cannot be unpacked. */
  WS_BAD_DEFLATE: 1007,
  WS_TOO_MANY_FRAGMENTS: 1008,
  WS_TOO_LARGE: 1009,
} as const satisfies Readonly<Record<string, number>>;

export type Fault = keyof typeof FAULTS;
