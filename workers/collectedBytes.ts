const LEAST_BYTES = 256;
const NO_BYTES = Buffer.alloc(0);

/** Bytes that came in pieces, one behind the other. It takes at most twice as much memory as the most that it has held. */
export class CollectedBytes {
  /** The first `length` of these. */
  bytes: Buffer = NO_BYTES;
  length = 0;

  add(buffer: Buffer, start: number, end: number): void {
    const needed = this.length + end - start;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(LEAST_BYTES, needed, this.bytes.length * 2));
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
