const FIRST_BYTES = 4_096;

/** Splits chunks into lines of limited length. */
export class LineReader {
  private readonly limitBytes: number;
  /** Holds the incomplete line in one buffer, because a list of small chunks would take many times that memory. */
  private buffer = Buffer.alloc(0);
  private length = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** Returns the complete lines without their ends. Throws `RangeError` for a line over the limit. */
  take(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.keepPart(chunk.subarray(start, end));
      lines.push(this.buffer.toString('utf8', 0, this.length));
      this.length = 0;
      start = end + 1;
    }
    this.keepPart(chunk.subarray(start));
    return lines;
  }

  private keepPart(part: Buffer): void {
    const length = this.length + part.length;
    if (length > this.limitBytes) throw new RangeError(`A line is longer than ${this.limitBytes} bytes.`);
    if (length > this.buffer.length) {
      const larger = Buffer.alloc(Math.max(FIRST_BYTES, 2 * length));
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
    }
    part.copy(this.buffer, this.length);
    this.length = length;
  }
}
