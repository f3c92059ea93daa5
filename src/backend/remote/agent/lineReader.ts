/** Cuts what comes in pieces into lines, none longer than allowed. */
export class LineReader {
  private readonly limitBytes: number;
  private parts: Buffer[] = [];
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
      lines.push(Buffer.concat(this.parts).toString('utf8'));
      this.parts = [];
      this.length = 0;
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
    return lines;
  }

  private keep(part: Buffer): void {
    this.length += part.length;
    if (this.length > this.limitBytes) throw new RangeError(`A line is longer than ${this.limitBytes} bytes.`);
    if (part.length > 0) this.parts.push(part);
  }
}
