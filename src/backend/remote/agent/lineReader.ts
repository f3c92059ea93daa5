const FIRST_BYTES = 4_096;

/** Cuts what comes in pieces into lines, none longer than allowed. */
export class LineReader {
  private readonly limitBytes: number;
  /** The line that is not complete yet, copied together: a list of its pieces would take many times their room where they are small. */
  private buffer = Buffer.alloc(0);
  private length = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** The lines that are complete now, without their ends. Throws `RangeError` when one is too long. */
  take(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.keep(chunk.subarray(start, end));
      lines.push(this.buffer.toString('utf8', 0, this.length));
      this.length = 0;
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
    return lines;
  }

  private keep(part: Buffer): void {
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
