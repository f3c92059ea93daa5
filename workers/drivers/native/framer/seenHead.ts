/** Longer heads are rare, and every connection keeps one. */
const LONGEST_BYTES = 2_048;

/**
 * The bytes of the last head that came in one piece. Under load a server sends the same head many times before its date changes, and comparing
 * costs a fraction of reading.
 */
export class SeenHead {
  /** 0 when there is none. */
  length = 0;
  private bytes = Buffer.alloc(0);

  /** Whether the same head is at `position`, whole. */
  isAt(buffer: Buffer, position: number, end: number): boolean {
    const { length } = this;
    return length > 0 && end - position >= length && buffer.compare(this.bytes, 0, length, position, position + length) === 0;
  }

  remember(buffer: Buffer, start: number, end: number): void {
    const length = end - start;
    if (length > LONGEST_BYTES) return;
    if (this.bytes.length < length) this.bytes = Buffer.allocUnsafe(length);
    buffer.copy(this.bytes, 0, start, end);
    this.length = length;
  }

  forget(): void {
    this.length = 0;
  }
}
