import type { Duplex } from 'node:stream';
import { LineReader } from './lineReader.ts';

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
