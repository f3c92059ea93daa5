import type { Writable } from 'node:stream';
import { HoldfastError } from '#core/errors.ts';

/** Where text goes. `write` resolves when the text has been handed over, so that nothing is cut off at the end. */
export interface Output {
  /** Throws `OUTPUT` when the text cannot be written. */
  write(text: string): Promise<void>;
  /** True when a person looks at it. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
}

const USUAL_COLUMNS = 80;

/** A reader that has left (`holdfast … | head`) is no error: what it does not want is dropped. */
export function outputTo(stream: Writable & { readonly isTTY?: boolean; readonly columns?: number }): Output {
  let readerLeft = false;
  // Each write reports its own failure; without a listener the event would end the process.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    readerLeft ||= error.code === 'EPIPE';
  });
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        if (readerLeft) return resolve();
        stream.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
          readerLeft ||= error?.code === 'EPIPE';
          if (error && !readerLeft) reject(outputError(error));
          else resolve();
        });
      }),
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      // Some pseudo-terminals say that they are 0 wide.
      return stream.columns || USUAL_COLUMNS;
    },
  };
}

function outputError(cause: Error): HoldfastError {
  return new HoldfastError(
    {
      code: 'OUTPUT',
      message: `The output cannot be written: ${cause.message}`,
      hint: 'The disk may be full. The run itself is stored; “holdfast show last” prints it again.',
    },
    { cause },
  );
}
