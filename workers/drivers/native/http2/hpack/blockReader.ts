import { decodeHuffman } from './huffman.ts';

/** Larger than any meaningful integer in a block. */
const MAX_INTEGER = 2 ** 28;
const MAX_SHIFT = 28;
const HUFFMAN = 0x80;
const NO_BYTES = Buffer.alloc(0);

/** Reads the integers and strings of a header block (RFC 7541, section 5). After an error it stays `failed`. */
export class BlockReader {
  failed = false;
  private block: Buffer = NO_BYTES;
  private position = 0;
  private end = 0;

  begin(block: Buffer, start: number, end: number): void {
    this.block = block;
    this.position = start;
    this.end = end;
    this.failed = false;
  }

  get hasMore(): boolean {
    return this.position < this.end && !this.failed;
  }

  /** Returns the next byte without consuming it. Only if `hasMore`. */
  peek(): number {
    return this.block[this.position] ?? 0;
  }

  /** Reads an integer whose prefix has as many bits as `mask` has ones. */
  integer(mask: number): number {
    if (this.position >= this.end) return this.fail();
    let value = this.take() & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= MAX_SHIFT; shift += 7) {
      if (this.position >= this.end) return this.fail();
      const byte = this.take();
      value += (byte & 0x7f) * 2 ** shift;
      if (value > MAX_INTEGER) return this.fail();
      if (byte < 0x80) return value;
    }
    return this.fail();
  }

  string(): string {
    const isHuffman = (this.peek() & HUFFMAN) !== 0;
    const length = this.integer(HUFFMAN - 1);
    const start = this.position;
    if (this.failed || length > this.end - start) {
      this.failed = true;
      return '';
    }
    this.position = start + length;
    if (!isHuffman) return this.block.toString('latin1', start, this.position);
    const text = decodeHuffman(this.block, start, this.position);
    if (text === null) this.failed = true;
    return text ?? '';
  }

  private take(): number {
    const byte = this.block[this.position] ?? 0;
    this.position += 1;
    return byte;
  }

  private fail(): number {
    this.failed = true;
    return 0;
  }
}
