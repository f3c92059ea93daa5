import { jpegMaker } from '#core/work/journey/jpeg.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LINE_LENGTH = 80;

/** Fills bytes by xorshift (Marsaglia, 2003): the same numbers in every run. */
function fillWith(bytes: Buffer, byteOf: (number: number, index: number) => number): Buffer {
  let state = 0x2545_f491;
  for (let index = 0; index < bytes.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = byteOf(state >>> 24, index);
  }
  return bytes;
}

/** Returns bytes that compress badly, the same in every request. */
export function madeUpBytes(length: number): Buffer {
  return fillWith(Buffer.allocUnsafe(length), (number) => number);
}

/** Returns a generator of JPEG photos that differ for each mark: servers scale photos and may reject unreadable ones. */
export function madeUpJpeg(length: number): (mark: string) => Buffer {
  const make = jpegMaker(length);
  return (mark) => Buffer.from(make(mark));
}

/** Returns a generator of text lines. Each text starts with its mark: servers store equal files once, and databases accept no NUL bytes in text. */
export function madeUpText(length: number): (mark: string) => Buffer {
  const base = fillWith(Buffer.allocUnsafe(length), (number, index) =>
    (index + 1) % LINE_LENGTH === 0 || index === length - 1 ? 10 : LETTERS.charCodeAt(number % LETTERS.length),
  );
  return (mark) => {
    const text = Buffer.from(base);
    text.write(mark, 0, Math.max(0, length - 1), 'latin1');
    return text;
  };
}
