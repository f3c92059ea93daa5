const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LINE_LENGTH = 80;

/** Xorshift (Marsaglia, 2003): the same numbers in every run. */
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

/** Bytes that compress badly, the same in every request. Those of a JPEG begin and end as a JPEG does. */
export function madeUpBytes(length: number, type: string): Buffer {
  const bytes = fillWith(Buffer.allocUnsafe(length), (number) => number);
  if (type.toLowerCase() === 'image/jpeg' && length >= 4) {
    bytes.set([0xff, 0xd8], 0);
    bytes.set([0xff, 0xd9], length - 2);
  }
  return bytes;
}

/** Lines of letters and digits. Each text begins with its own mark: servers keep equal files once, and databases take no NUL bytes as text. */
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
