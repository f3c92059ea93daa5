import type { Duplex } from 'node:stream';

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

/**
 * Reads the next line of a stream whose other end then waits for a reply. Throws `RangeError` for a longer line, for anything after the
 * line, for the end of the stream, and after `timeoutMs`.
 */
export async function readOneLine(stream: Duplex, { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number }): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new LineReader(maxBytes);
  const take = (chunk: Buffer): void => {
    try {
      const [line, ...others] = reader.take(chunk);
      if (line === undefined) return;
      if (others.length > 0 || chunk.at(-1) !== 10) throw new RangeError('More than one line was received.');
      resolve(line);
    } catch (thrown) {
      reject(thrown);
    }
  };
  const lose = (): void => reject(new RangeError('The stream ended before its line.'));
  const late = setTimeout(() => reject(new RangeError(`No line was received within ${timeoutMs} ms.`)), timeoutMs);
  stream.on('data', take).on('end', lose).on('close', lose);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    stream.off('data', take).off('end', lose).off('close', lose);
  }
}
