import type { Output } from '../output/stream.ts';

/** Keeps what was written. */
export interface MemoryOutput extends Output {
  readonly text: string;
}

export function memoryOutput(options: { isTerminal?: boolean; columns?: number } = {}): MemoryOutput {
  const chunks: string[] = [];
  return {
    isTerminal: options.isTerminal ?? false,
    columns: options.columns ?? 80,
    write: async (chunk) => {
      chunks.push(chunk);
    },
    get text() {
      return chunks.join('');
    },
  };
}
