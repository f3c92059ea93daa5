const MIN_BYTES = 256;
const NO_BYTES = Buffer.alloc(0);

/** A growing byte buffer. It uses at most twice the memory of its largest content. */
export class CollectedBytes {
  /** Only the first `length` bytes are valid. */
  bytes: Buffer = NO_BYTES;
  length = 0;

  add(buffer: Buffer, start: number, end: number): void {
    const needed = this.length + end - start;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(MIN_BYTES, needed, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    buffer.copy(this.bytes, this.length, start, end);
    this.length = needed;
  }

  clear(): void {
    this.length = 0;
  }
}
