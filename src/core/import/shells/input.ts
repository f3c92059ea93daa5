/** Standard input of a command. */
export type Input =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  /** Output of a command that was not run. */
  | { readonly kind: 'unknown' };

const UNKNOWN_INPUT: Input = { kind: 'unknown' };

/** Returns the output of a command that only repeats its arguments or input; unknown for other commands. */
export function readOutput(words: readonly string[], input: Input | null): Input {
  const [program = '', ...given] = words.filter((word, index) => index > 0 || !/^[$#>%]$/.test(word));
  switch (program.split('/').at(-1)) {
    case 'echo':
      return echoInput(given);
    case 'printf':
      return printfInput(given);
    case 'seq':
      return sequenceInput(given);
    case 'cat':
      if (given.length === 0 || (given.length === 1 && given[0] === '-')) return input ?? UNKNOWN_INPUT;
      return given.length === 1 && given[0]?.startsWith('-') === false ? { kind: 'file', path: given[0] } : UNKNOWN_INPUT;
    default:
      return UNKNOWN_INPUT;
  }
}

function echoInput(given: readonly string[]): Input {
  const count = given.findIndex((word) => !/^-[neE]+$/.test(word));
  const options = given.slice(0, count < 0 ? given.length : count).join('');
  const text = given.slice(count < 0 ? given.length : count).join(' ');
  const isRead = options.includes('e') && text.includes('\\');
  return isRead ? UNKNOWN_INPUT : { kind: 'text', text: `${text}${options.includes('n') ? '' : '\n'}` };
}

/** Maximum number of lines of `seq`. */
const MAX_SEQUENCE = 100_000;

function sequenceInput(given: readonly string[]): Input {
  const numbers = given.map(Number);
  const [from = 1, step = 1, to = 0] = numbers.length > 2 ? numbers : numbers.length > 1 ? [numbers[0], 1, numbers[1]] : [1, 1, numbers[0]];
  const count = Math.floor((to - from) / step) + 1;
  if (given.length === 0 || given.length > 3 || !numbers.every(Number.isInteger) || !(count > 0) || count > MAX_SEQUENCE)
    return UNKNOWN_INPUT;
  return { kind: 'text', text: Array.from({ length: count }, (_none, index) => `${from + index * step}\n`).join('') };
}

function printfInput([format = '', ...given]: readonly string[]): Input {
  const ended = format.replace(/\\n$/, '\n');
  if (ended.includes('\\')) return UNKNOWN_INPUT;
  // printf repeats its format for each argument.
  if (ended === '%s\n' && given.length > 0) return { kind: 'text', text: given.map((word) => `${word}\n`).join('') };
  if (!ended.includes('%')) return given.length === 0 ? { kind: 'text', text: ended } : UNKNOWN_INPUT;
  return /^%s\n?$/.test(ended) && given.length === 1 ? { kind: 'text', text: ended.replace('%s', () => given[0] ?? '') } : UNKNOWN_INPUT;
}

/** A here-document (`<<EOF`, `<<-EOF`, `<<'EOF'`): lines below a command that become its input. */
export interface HereDocument {
  /** The line that ends the document. */
  readonly end: string;
  /** Whether tabs at the beginning of lines are removed (`<<-`). */
  readonly isIndented: boolean;
  /** Whether the end word is quoted, which turns off expansion. */
  readonly isQuoted: boolean;
  /** Length of the operator and the end word, in letters. */
  readonly length: number;
}

const HERE_DOCUMENT_PATTERN = /^<<(-?)[ \t]*(?:'([^'\n]{1,60})'|"([^"\n]{1,60})"|\\?([A-Za-z_]\w{0,59}))/;

/** Returns the here-document whose operator begins at `at`; null if there is none. */
export function parseHereDocument(text: string, at: number): HereDocument | null {
  const [whole, dash, single, double, bare] = HERE_DOCUMENT_PATTERN.exec(text.slice(at, at + 140)) ?? [];
  const end = single ?? double ?? bare;
  if (whole === undefined || end === undefined) return null;
  return { end, isIndented: dash === '-', isQuoted: bare === undefined || whole.includes('\\'), length: whole.length };
}

/** Returns the end word of the here-document that a line begins; null if there is none. */
export function endOfDocument(line: string): string | null {
  const at = line.search(/<<(?!<)/);
  if (at < 0 || line.charAt(at - 1) === '<') return null;
  return parseHereDocument(line, at)?.end ?? null;
}

/** Returns the lines of a here-document and the position after them. */
export function linesOfDocument(text: string, from: number, { end, isIndented }: HereDocument): { body: string; next: number } {
  let body = '';
  let at = from;
  while (at < text.length) {
    const found = text.indexOf('\n', at);
    const line = text.slice(at, found < 0 ? text.length : found);
    at = found < 0 ? text.length : found + 1;
    const written = isIndented ? line.replace(/^\t+/, '') : line;
    if (written.replace(/\r$/, '') === end) break;
    body += `${written}\n`;
  }
  return { body, next: at };
}
