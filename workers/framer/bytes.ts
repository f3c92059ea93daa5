/** Bytes with a meaning in HTTP/1.1, by name. */
export const HTAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SP = 0x20;
export const DOUBLE_QUOTE = 0x22;
export const COMMA = 0x2c;
export const DOT = 0x2e;
export const DIGIT_0 = 0x30;
export const DIGIT_1 = 0x31;
export const DIGIT_9 = 0x39;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const EQUALS = 0x3d;
export const BACKSLASH = 0x5c;

function classOf(accepts: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (accepts(byte) ? 1 : 0));
}

const TOKEN_PUNCTUATION = "!#$%&'*+-.^_`|~";

/** 1 for the bytes of a token (RFC 9110, 5.6.2): header names, names of chunk extensions. */
export const IS_TOKEN = classOf((byte) => {
  const character = String.fromCodePoint(byte);
  return /[0-9A-Za-z]/.test(character) || TOKEN_PUNCTUATION.includes(character);
});

/** 1 for the bytes of a header value (RFC 9110, 5.5): HTAB, SP, visible ASCII and everything from 0x80 on. */
export const IS_VALUE = classOf((byte) => byte === HTAB || (byte >= SP && byte !== 0x7f));

/** 1 for what may stand unescaped between quotes (RFC 9110, 5.6.4). */
export const IS_QUOTED = classOf((byte) => IS_VALUE[byte] === 1 && byte !== DOUBLE_QUOTE && byte !== BACKSLASH);

/** The value of a hexadecimal digit; 255 for every other byte. */
export const HEX_VALUE = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCodePoint(byte);
  return /[0-9A-Fa-f]/.test(character) ? Number.parseInt(character, 16) : 255;
});
