import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { HoldfastError } from '#core/base/errors.ts';
import { visibleText } from '#core/base/text.ts';

/**
 * The only way to write to a terminal. Names, titles and errors come from foreign plans and servers, so control sequences are escaped here.
 * Each call resolves when the stream has accepted the text, so that no output is cut off. Throws `OUTPUT` on failure.
 */
export interface Output {
  /** Writes text for people, or JSON. Escapes control characters, which does not change the value of JSON. */
  write(text: string): Promise<void>;
  /** Writes a result. On a terminal, colours verdicts, findings and titles unless NO_COLOR is set. */
  writeReport(text: string): Promise<void>;
  /** Writes a file's content unchanged, except on a terminal, where control characters are escaped as by `write`. */
  writeFile(text: string): Promise<void>;
  /**
   * Redraws the last line of a terminal, cut to the terminal's width, with an optional permanent line above. Writes nothing to other
   * outputs.
   */
  redraw(line: string, above?: string): Promise<void>;
  readonly isTerminal: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
}

const USUAL_COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[K';

const LINE_STYLES: readonly (readonly [begin: RegExp, style: Parameters<typeof styleText>[0]])[] = [
  [/^✓ /, ['bold', 'green']],
  [/^✗ /, ['bold', 'red']],
  [/^[–·] /, ['bold', 'yellow']],
  [/^Problem: /, 'red'],
  [/^Warning: /, 'yellow'],
  [/^(?:Why|Pass criteria|Next steps|Findings|Figures|Machines)$/, 'bold'],
];

function withColours(text: string, stream: Writable): string {
  const colourLine = (line: string): string => {
    const [, style] = LINE_STYLES.find(([begin]) => begin.test(line)) ?? [];
    return style === undefined ? line : styleText(style, line, { stream });
  };
  return text.split('\n').map(colourLine).join('\n');
}

/** Returns the output to a stream. A closed pipe (`holdfast … | head`) is not an error: further text is dropped. */
export function outputTo(stream: Writable & { readonly isTTY?: boolean; readonly columns?: number }): Output {
  let readerLeft = false;
  // Each write reports its own failure. Without this listener, the event would end the process.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    readerLeft ||= error.code === 'EPIPE';
  });
  const writeChunk = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (readerLeft) return resolve();
      stream.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
        readerLeft ||= error?.code === 'EPIPE';
        if (error && !readerLeft) reject(outputError(error));
        else resolve();
      });
    });
  const isTerminal = (): boolean => stream.isTTY === true;
  // Some pseudo-terminals report a width of 0.
  const columns = (): number => stream.columns || USUAL_COLUMNS;
  return {
    write: (text) => writeChunk(visibleText(text)),
    writeReport: (text) => writeChunk(isTerminal() ? withColours(visibleText(text), stream) : visibleText(text)),
    writeFile: (text) => writeChunk(isTerminal() ? visibleText(text.replaceAll('\r\n', '\n')) : text),
    async redraw(line, above) {
      if (!isTerminal()) return;
      const cut = visibleText(line.replaceAll('\n', ' ')).slice(0, Math.max(0, columns() - 1));
      await writeChunk(`${CLEAR_LINE}${above === undefined ? '' : `${visibleText(above)}\n`}${cut}`);
    },
    get isTerminal() {
      return isTerminal();
    },
    get columns() {
      return columns();
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
