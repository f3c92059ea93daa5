/** Bytes with a meaning in HTTP/1.1, by name. */
export const NUL = 0x00;
export const HTAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SP = 0x20;
export const COMMA = 0x2c;
export const DOT = 0x2e;
export const DIGIT_0 = 0x30;
export const DIGIT_1 = 0x31;
export const DIGIT_2 = 0x32;
export const DIGIT_9 = 0x39;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;

function toClass(accepts: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (accepts(byte) ? 1 : 0));
}

/** Has 1 for each byte that curl and browsers accept in a header name or value: all except NUL, CR and LF. */
export const IS_TEXT = toClass((byte) => byte !== NUL && byte !== CR && byte !== LF);

/** Has the value of each hexadecimal digit, and 255 for every other byte. */
export const HEX_VALUE = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCodePoint(byte);
  return /[0-9A-Fa-f]/.test(character) ? Number.parseInt(character, 16) : 255;
});
