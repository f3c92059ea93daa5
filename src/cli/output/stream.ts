/** Where text goes. `write` resolves when the text has been handed over, so that nothing is cut off at the end. */
export interface Output {
  write(text: string): Promise<void>;
  /** True when a person looks at it. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
}

const USUAL_COLUMNS = 80;

/** A reader that has left (`holdfast … | head`) is no error: what it does not want is dropped. */
export function outputTo(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
          if (error && error.code !== 'EPIPE') reject(error);
          else resolve();
        });
      }),
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns ?? USUAL_COLUMNS;
    },
  };
}
