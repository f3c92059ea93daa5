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
