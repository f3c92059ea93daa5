import { hashOf } from './generate.ts';

/**
 * End of a block: the 8-bit code that follows the 2-bit code. The code tables make each coefficient one byte from 0 to 63 (a 2-bit code and
 * a 6-bit value), and the end of a block another byte. Any such bytes form a valid picture without escapes.
 */
const END_OF_BLOCK = 0x40;
/** Maximum number of AC coefficients in a block, besides the first. An 8×8 block has one DC and 63 AC coefficients. */
const MAX_OTHERS = 62;
const MIN_OTHERS = 11;
/** Maximum number of blocks: twelve megapixels, as in phone photos. */
const MAX_BLOCKS = 187_500;
/** Number of bytes that differ between photos. It is enough for different pictures and costs little. */
const DRAWN_BYTES = 65_536;

/** Number of bytes of the header, the empty comment and the end. */
const FRAME_BYTES = 163;
/** Minimum size of a photo, which has one block. */
export const MIN_JPEG_BYTES = FRAME_BYTES + MIN_OTHERS + 2;

interface Shape {
  /** Number of blocks per row. `down`: number of blocks per column. */
  readonly across: number;
  readonly down: number;
  /** Number of bytes per block, including its end. */
  readonly each: number;
}

/**
 * Returns a generator of photos of exactly `length` bytes that depend on the seed. A photo is valid until the next one is generated. Throws
 * a RangeError below `MIN_JPEG_BYTES`.
 */
export function createJpegWriter(length: number): (seed: string) => Uint8Array {
  if (length < MIN_JPEG_BYTES) throw new RangeError(`A JPEG has at least ${MIN_JPEG_BYTES} bytes.`);
  const shape = computeShape(length - FRAME_BYTES);
  const blocks = shape.across * shape.down;
  const pictureBytes = blocks * shape.each;
  const head = buildHead(shape, length - FRAME_BYTES - pictureBytes);
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

/** Returns the shape of a 4:3 photo. The remaining bytes are fewer than a row of blocks or fit into a comment. */
function computeShape(bytes: number): Shape {
  const others = Math.min(MAX_OTHERS, Math.max(MIN_OTHERS, Math.ceil(bytes / MAX_BLOCKS) - 2));
  const each = others + 2;
  const blocks = Math.floor(bytes / each);
  const across = Math.max(1, Math.round(Math.sqrt((blocks * 4) / 3)));
  return { across, down: Math.max(1, Math.floor(blocks / across)), each };
}

function buildHead({ across, down }: Shape, commentBytes: number): number[] {
  const wordBytes = (value: number): number[] => [value >> 8, value & 0xff];
  const segment = (marker: number, bytes: readonly number[]): number[] => [0xff, marker, ...wordBytes(bytes.length + 2), ...bytes];
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
    ...segment(0xc0, [8, ...wordBytes(down * 8), ...wordBytes(across * 8), 1, 1, 0x11, 0]),
    // A DC coefficient is the difference to the previous DC, as a 6-bit value.
    ...segment(0xc4, [0x00, ...codes({ 2: 1 }), 6]),
    // An AC coefficient is a 6-bit value, or the end of the block.
    ...segment(0xc4, [0x10, ...codes({ 2: 1, 8: 1 }), 0x06, 0x00]),
    ...segment(0xda, [1, 1, 0x00, 0, 63, 0]),
  ];
}

/** Draws blocks whose DC differences cancel out in pairs, which keeps the brightness in range. */
function drawBlocks(photo: Uint8Array, from: number, blocks: number, each: number, seed: number): void {
  let state = seed | 1;
  let before = 0;
  for (let block = 0; block < blocks; block += 1) {
    const begin = from + block * each;
    for (let index = begin; index < begin + each - 1; index += 1) {
      // The numbers are those of Xorshift (Marsaglia, 2003).
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      photo[index] = (state >>> 24) & 0x3f;
    }
    before = block % 2 === 0 ? (photo[begin] ?? 0) | 0x20 : ~before & 0x3f;
    photo[begin] = before;
  }
}
