/** Constants of RFC 6455, section 5. */

export const CONTINUATION = 0x0;
export const TEXT = 0x1;
export const BINARY = 0x2;
/** Control frames have this opcode or a higher one. */
export const CLOSE = 0x8;
export const PING = 0x9;
export const PONG = 0xa;

/** Bits of the first byte. */
export const FINAL = 0x80;
export const RESERVED = 0x70;
/** Set in the first frame of a compressed message (RFC 7692). */
export const RSV1 = 0x40;
export const OPCODE = 0x0f;

/** Bit of the second byte. */
export const HAS_MASK = 0x80;

export const MAX_CONTROL_BYTES = 125;

/** Represents a close frame without a code; never sent. */
export const NO_STATUS = 1005;

/** Whether an endpoint may send the code: codes of RFC 6455, registered codes and codes of applications. */
export function isCloseCode(code: number): boolean {
  return (code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)) || (code >= 3000 && code <= 4999);
}

/** Protocol errors and exceeded limits of a server, with the code for the close frame (RFC 6455, section 7.4.1). */
export const FAULTS = {
  /** A reserved bit without an agreed meaning. */
  WS_RESERVED_BITS: 1002,
  WS_BAD_OPCODE: 1002,
  /** A masked frame; only clients mask. */
  WS_MASKED: 1002,
  /** A length in more bytes than needed, or negative. */
  WS_BAD_LENGTH: 1002,
  /** A ping, pong or close that is fragmented, or longer than 125 bytes. */
  WS_BAD_CONTROL: 1002,
  /** A continuation without a message, or a message within another. */
  WS_BAD_ORDER: 1002,
  /** A close frame of one byte, or with an invalid code. */
  WS_BAD_CLOSE: 1002,
  WS_BAD_UTF8: 1007,
  /** Data that cannot be decompressed. */
  WS_BAD_DEFLATE: 1007,
  WS_TOO_MANY_FRAGMENTS: 1008,
  WS_TOO_LARGE: 1009,
} as const satisfies Readonly<Record<string, number>>;

export type Fault = keyof typeof FAULTS;
