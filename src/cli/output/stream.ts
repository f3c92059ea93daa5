import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { HoldfastError } from '#core/base/errors.ts';
import { visibleText } from '#core/base/text.ts';

/**
 * Where text goes: the only way to a terminal. Names, titles and errors come from plans and servers of strangers, so nothing but what is done here
 * steers one. Each call resolves when the text has been handed over, so that nothing is cut off at the end, and throws `OUTPUT` when it cannot be.
 */
export interface Output {
  /** Text for people (and JSON, which stays the same value): what would steer a terminal is made visible. */
  write(text: string): Promise<void>;
  /** Like {@link write}, for a result: a terminal shows verdicts, findings and titles in colour, unless the user turned colours off (NO_COLOR). */
  writeReport(text: string): Promise<void>;
  /** A file's content, to the byte; a terminal is shown it as `write` would. */
  writeFile(text: string): Promise<void>;
  /** Draws the last line of a terminal anew: a text without line feeds, cut to its width, or the line that stands above it for good. Elsewhere nothing is drawn. */
  redraw(line: string, above?: string): Promise<void>;
  /** True when a person looks at it. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
}

const USUAL_COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[K';

/** Style of a line by its beginning. */
const LINE_STYLES: readonly (readonly [begin: RegExp, style: Parameters<typeof styleText>[0]])[] = [
  [/^✓ /, ['bold', 'green']],
  [/^✗ /, ['bold', 'red']],
  [/^[–·] /, ['bold', 'yellow']],
  [/^Problem: /, 'red'],
  [/^Warning: /, 'yellow'],
  [/^(?:Why|Pass criteria|Next steps|Findings|Figures|Machines)$/, 'bold'],
];

function withColours(text: string, stream: Writable): string {
  const coloured = (line: string): string => {
    const [, style] = LINE_STYLES.find(([begin]) => begin.test(line)) ?? [];
    return style === undefined ? line : styleText(style, line, { stream });
  };
  return text.split('\n').map(coloured).join('\n');
}

/** A reader that has left (`holdfast … | head`) is no error: what it does not want is dropped. */
export function outputTo(stream: Writable & { readonly isTTY?: boolean; readonly columns?: number }): Output {
  let readerLeft = false;
  // Each write reports its own failure; without a listener the event would end the process.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    readerLeft ||= error.code === 'EPIPE';
  });
  const send = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (readerLeft) return resolve();
      stream.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
        readerLeft ||= error?.code === 'EPIPE';
        if (error && !readerLeft) reject(outputError(error));
        else resolve();
      });
    });
  const isTerminal = (): boolean => stream.isTTY === true;
  // Some pseudo-terminals say that they are 0 wide.
  const columns = (): number => stream.columns || USUAL_COLUMNS;
  return {
    write: (text) => send(visibleText(text)),
    writeReport: (text) => send(isTerminal() ? withColours(visibleText(text), stream) : visibleText(text)),
    writeFile: (text) => send(isTerminal() ? visibleText(text.replaceAll('\r\n', '\n')) : text),
    async redraw(line, above) {
      if (!isTerminal()) return;
      const cut = visibleText(line.replaceAll('\n', ' ')).slice(0, Math.max(0, columns() - 1));
      await send(`${CLEAR_LINE}${above === undefined ? '' : `${visibleText(above)}\n`}${cut}`);
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
