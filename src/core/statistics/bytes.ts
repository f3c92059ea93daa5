import { HoldfastError } from '#core/base/errors.ts';

const SCRATCH_VIEW = new DataView(new ArrayBuffer(8));
const DECODER = new TextDecoder();

/** Writes numbers and texts one after another. Small numbers take one byte (base-128 varints, lowest digits first). */
export class ByteWriter {
  private buffer = new Uint8Array(256);
  private used = 0;

  byte(value: number): void {
    if (this.used === this.buffer.length) {
      const larger = new Uint8Array(this.buffer.length * 2);
      larger.set(this.buffer);
      this.buffer = larger;
    }
    this.buffer[this.used] = value;
    this.used += 1;
  }

  /** Writes an integer from 0 to 2^53 − 1. Throws a RangeError for other values. */
  unsigned(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a count.`);
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  /** Writes an integer as a sign byte and its magnitude. */
  signed(value: number): void {
    this.byte(value < 0 ? 1 : 0);
    this.unsigned(Math.abs(value));
  }

  /** Writes any number in 8 bytes (IEEE 754, big-endian). */
  float(value: number): void {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    for (let index = 0; index < 8; index += 1) this.byte(view.getUint8(index));
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.unsigned(bytes.length);
    for (const byte of bytes) this.byte(byte);
  }

  bytes(): Uint8Array {
    return this.buffer.slice(0, this.used);
  }
}

/** Reads what {@link ByteWriter} wrote. Throws `DATA_DAMAGED` for anything else. */
export class ByteReader {
  private readonly source: Uint8Array;
  private position = 0;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  byte(): number {
    const value = this.source[this.position];
    if (value === undefined) throw damagedError('they end too early');
    this.position += 1;
    return value;
  }

  unsigned(): number {
    // This is the fast path, because most numbers are counts or gaps of one byte.
    const first = this.source[this.position];
    if (first !== undefined && first < 0x80) {
      this.position += 1;
      return first;
    }
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) throw damagedError('a number is too large');
      if (byte < 0x80) return value;
    }
  }

  /** Reads the number of items that follow, each of which takes at least one byte. Throws if the number exceeds that of the bytes left. */
  count(): number {
    const value = this.unsigned();
    if (value > this.source.length - this.position) throw damagedError('a length exceeds their end');
    return value;
  }

  signed(): number {
    const sign = this.byte();
    if (sign > 1) throw damagedError('a sign is neither plus nor minus');
    const amount = this.unsigned();
    return sign === 1 && amount !== 0 ? -amount : amount;
  }

  float(): number {
    for (let index = 0; index < 8; index += 1) SCRATCH_VIEW.setUint8(index, this.byte());
    return SCRATCH_VIEW.getFloat64(0);
  }

  text(): string {
    const length = this.count();
    const bytes = this.source.subarray(this.position, this.position + length);
    this.position += length;
    return DECODER.decode(bytes);
  }

  expectEnd(): void {
    if (this.position !== this.source.length) throw damagedError('there is more than there should be');
  }
}

export function damagedError(why: string): HoldfastError {
  return new HoldfastError({
    code: 'DATA_DAMAGED',
    message: `Stored measurements cannot be read: ${why}.`,
    hint: 'The data were cut off or changed outside Holdfast, or a newer Holdfast wrote them. Other runs are not affected.',
  });
}
