import { hashOf } from './generate.ts';

/**
 * Photos that are made up: baseline JPEG in shades of grey (ITU-T T.81). The code tables are chosen so that each coefficient of the picture is one byte from
 * 0 to 63 (a code of two bits and six bits of its value), and the end of a block another. Any such bytes are a picture, and none has to be escaped.
 */

/** Ends a block: the code of eight bits that follows the one of two. */
const END_OF_BLOCK = 0x40;
/** A block of 8 by 8 has one constant and 63 others. */
const MAX_OTHERS = 62;
const MIN_OTHERS = 11;
/** Twelve million pixels, as phones take them. */
const MAX_BLOCKS = 187_500;
/** Drawn anew for each photo: enough for another picture, and little work for a photo of megabytes. */
const DRAWN_BYTES = 65_536;

/** Bytes before the comment, the comment without its text, and the end. */
const FRAME_BYTES = 163;
/** The smallest that is made: one block. */
export const MIN_JPEG_BYTES = FRAME_BYTES + MIN_OTHERS + 2;

interface Shape {
  /** Blocks in a row and in a column. */
  readonly across: number;
  readonly down: number;
  /** Bytes of a block, the end included. */
  readonly each: number;
}

/**
 * Makes photos of exactly `length` bytes, a different one for each seed; a photo is valid until the next is made.
 * @throws RangeError when it is less than `MIN_JPEG_BYTES`.
 */
export function jpegMaker(length: number): (seed: string) => Uint8Array {
  if (length < MIN_JPEG_BYTES) throw new RangeError(`A JPEG has at least ${MIN_JPEG_BYTES} bytes.`);
  const shape = shapeOf(length - FRAME_BYTES);
  const blocks = shape.across * shape.down;
  const pictureBytes = blocks * shape.each;
  const head = headOf(shape, length - FRAME_BYTES - pictureBytes);
  const photo = new Uint8Array(length);
  photo.set(head);
  photo.set([0xff, 0xd9], length - 2);
  for (let end = head.length + shape.each - 1; end < length - 2; end += shape.each) photo[end] = END_OF_BLOCK;
  drawBlocks(photo, head.length, blocks, shape.each, 1);
  const drawn = Math.min(blocks, Math.ceil(DRAWN_BYTES / shape.each));
  return (seed) => {
    drawBlocks(photo, head.length, drawn, shape.each, hashOf(seed));
    return photo;
  };
}

/** The shape of a photo, four to three. What is left over is less than a row of blocks, or than a comment holds. */
function shapeOf(bytes: number): Shape {
  const others = Math.min(MAX_OTHERS, Math.max(MIN_OTHERS, Math.ceil(bytes / MAX_BLOCKS) - 2));
  const each = others + 2;
  const blocks = Math.floor(bytes / each);
  const across = Math.max(1, Math.round(Math.sqrt((blocks * 4) / 3)));
  return { across, down: Math.max(1, Math.floor(blocks / across)), each };
}

function headOf({ across, down }: Shape, commentBytes: number): number[] {
  const word = (value: number): number[] => [value >> 8, value & 0xff];
  const segment = (marker: number, bytes: readonly number[]): number[] => [0xff, marker, ...word(bytes.length + 2), ...bytes];
  const codes = (lengths: Readonly<Record<number, number>>): number[] => Array.from({ length: 16 }, (_, index) => lengths[index + 1] ?? 0);
  return [
    0xff,
    0xd8,
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(
      0xfe,
      Array.from({ length: commentBytes }, () => 0x20),
    ),
    ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    ...segment(0xc0, [8, ...word(down * 8), ...word(across * 8), 1, 1, 0x11, 0]),
    // A constant differs from the one before by a number of six bits.
    ...segment(0xc4, [0x00, ...codes({ 2: 1 }), 6]),
    // The others: a number of six bits, or nothing more in this block.
    ...segment(0xc4, [0x10, ...codes({ 2: 1, 8: 1 }), 0x06, 0x00]),
    ...segment(0xda, [1, 1, 0x00, 0, 63, 0]),
  ];
}

/** The constants of two blocks cancel each other, so that brightness stays in its range. */
function drawBlocks(photo: Uint8Array, from: number, blocks: number, each: number, seed: number): void {
  let state = seed | 1;
  let before = 0;
  for (let block = 0; block < blocks; block += 1) {
    const begin = from + block * each;
    for (let index = begin; index < begin + each - 1; index += 1) {
      // Xorshift (Marsaglia, 2003).
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      photo[index] = (state >>> 24) & 0x3f;
    }
    before = block % 2 === 0 ? (photo[begin] ?? 0) | 0x20 : ~before & 0x3f;
    photo[begin] = before;
  }
}
