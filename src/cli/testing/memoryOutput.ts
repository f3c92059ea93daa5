import { Writable } from 'node:stream';
import { outputTo, type Output } from '../output/stream.ts';

/** An output that keeps the written text. */
export interface MemoryOutput extends Output {
  readonly text: string;
}

/** Creates a real output that writes to a stream in memory. */
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
