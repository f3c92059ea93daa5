import { Writable } from 'node:stream';
import { outputTo, type Output } from '../output/stream.ts';

/** Keeps what was written. */
export interface MemoryOutput extends Output {
  readonly text: string;
}

/** The real door, with a stream behind it that keeps what comes. */
export function memoryOutput(options: { isTerminal?: boolean; columns?: number } = {}): MemoryOutput {
  const chunks: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const output = outputTo(Object.assign(stream, { isTTY: options.isTerminal ?? false, columns: options.columns ?? 80 }));
  return {
    ...output,
    get text() {
      return chunks.join('');
    },
  };
}
