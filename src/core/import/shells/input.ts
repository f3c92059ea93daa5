/** What a command reads from standard input. */
export type Input =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  /** Something that nobody knows before it has run. */
  | { readonly kind: 'unknown' };

const UNKNOWN: Input = { kind: 'unknown' };

/** What a command prints, of those that only repeat what they are given. */
export function outputOf(words: readonly string[], input: Input | null): Input {
  const [program = '', ...given] = words.filter((word, index) => index > 0 || !/^[$#>%]$/.test(word));
  switch (program.split('/').at(-1)) {
    case 'echo':
      return echoed(given);
    case 'printf':
      return formatted(given);
    case 'cat':
      if (given.length === 0 || (given.length === 1 && given[0] === '-')) return input ?? UNKNOWN;
      return given.length === 1 && given[0]?.startsWith('-') === false ? { kind: 'file', path: given[0] } : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function echoed(given: readonly string[]): Input {
  const count = given.findIndex((word) => !/^-[neE]+$/.test(word));
  const options = given.slice(0, count < 0 ? given.length : count).join('');
  const text = given.slice(count < 0 ? given.length : count).join(' ');
  const isRead = options.includes('e') && text.includes('\\');
  return isRead ? UNKNOWN : { kind: 'text', text: `${text}${options.includes('n') ? '' : '\n'}` };
}

function formatted([format = '', ...given]: readonly string[]): Input {
  const ended = format.replace(/\\n$/, '\n');
  if (ended.includes('\\')) return UNKNOWN;
  if (!ended.includes('%')) return given.length === 0 ? { kind: 'text', text: ended } : UNKNOWN;
  return /^%s\n?$/.test(ended) && given.length === 1 ? { kind: 'text', text: ended.replace('%s', () => given[0] ?? '') } : UNKNOWN;
}

/** `<<EOF`, `<<-EOF`, `<<'EOF'`: lines below a command that it reads from. */
export interface HereDocument {
  /** The line that ends it. */
  readonly end: string;
  /** `<<-`: tabs at the beginning of its lines are no part of it. */
  readonly isIndented: boolean;
  /** A quoted word: nothing in it is filled in. */
  readonly isQuoted: boolean;
  /** Of what begins it, in letters. */
  readonly length: number;
}

const BEGINNING = /^<<(-?)[ \t]*(?:'([^'\n]{1,60})'|"([^"\n]{1,60})"|\\?([A-Za-z_]\w{0,59}))/;

/** What begins at `at`, a `<`; null for anything else. */
export function hereDocumentAt(text: string, at: number): HereDocument | null {
  const [whole, dash, single, double, bare] = BEGINNING.exec(text.slice(at, at + 140)) ?? [];
  const end = single ?? double ?? bare;
  if (whole === undefined || end === undefined) return null;
  return { end, isIndented: dash === '-', isQuoted: bare === undefined || whole.includes('\\'), length: whole.length };
}

/** The word that ends the document which a line begins; null where it begins none. */
export function endOfDocument(line: string): string | null {
  const at = line.search(/<<(?!<)/);
  if (at < 0 || line.charAt(at - 1) === '<') return null;
  return hereDocumentAt(line, at)?.end ?? null;
}

/** The lines of a document, and where the text goes on behind them. */
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
