/** A token of Python with its line number. */
export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'sign' | 'line' | 'indent' | 'dedent' | 'end';
  readonly text: string;
  readonly line: number;
}

export class PythonProblem extends Error {
  override readonly name = 'PythonProblem';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const MAX_TOKENS = 200_000;
const SPACE = /[ \t\f]*/y;
const BEGINS_TEXT = /(?:[urb]{0,2})('''|"""|'|")/iy;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /(?:0[xX][\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[lLjJ]?/y;
const SIGN = /\*\*=?|\/\/=?|<<=?|>>=?|<>|[!=<>+\-*/%&|^]=|->|[()[\]{}.,:;=<>+\-*/%&|^~`@]/y;
const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['0', '\0'],
  ['\n', ''],
]);

/** Splits a Python program into tokens, including indentation. Throws a {@link PythonProblem} for invalid or too long text. */
export function pythonTokens(source: string): Token[] {
  return new Tokenizer(source.replaceAll(/\r\n?/g, '\n')).tokens();
}

class Tokenizer {
  private readonly source: string;
  private readonly found: Token[] = [];
  private readonly indents = [0];
  private at = 0;
  private line = 1;
  private brackets = 0;
  private isAtLineStart = true;

  constructor(source: string) {
    this.source = source;
  }

  tokens(): Token[] {
    while (this.at < this.source.length) this.step();
    if (this.found.at(-1)?.kind !== 'line') this.add('line', '');
    while (this.indents.length > 1) {
      this.indents.pop();
      this.add('dedent', '');
    }
    this.add('end', '');
    return this.found;
  }

  private step(): void {
    if (this.isAtLineStart && this.brackets === 0 && !this.indent()) return;
    this.isAtLineStart = false;
    this.match(SPACE);
    const letter = this.source[this.at];
    if (letter === undefined) return;
    if (letter === '#') this.at = this.endOfLine();
    else if (letter === '\\' && this.source[this.at + 1] === '\n') this.newLine(2);
    else if (letter === '\n') {
      if (this.brackets === 0 && this.found.at(-1)?.kind !== 'line') this.add('line', '');
      this.isAtLineStart = true;
      this.newLine(1);
    } else this.word();
  }

  /** Adds indent and dedent tokens; returns whether the line has code. */
  private indent(): boolean {
    let width = 0;
    for (const letter of this.match(SPACE) ?? '') width = letter === '\t' ? (Math.floor(width / 8) + 1) * 8 : width + 1;
    const letter = this.source[this.at];
    if (letter === undefined || letter === '\n' || letter === '#') {
      this.at = this.endOfLine();
      if (this.at < this.source.length) this.newLine(1);
      return false;
    }
    const innermost = this.indents.at(-1) ?? 0;
    if (width > innermost) {
      this.indents.push(width);
      this.add('indent', '');
    }
    while (width < (this.indents.at(-1) ?? 0)) {
      this.indents.pop();
      this.add('dedent', '');
    }
    return true;
  }

  private word(): void {
    const begin = this.matchAt(BEGINS_TEXT);
    if (begin !== null) return this.text(begin[0], begin[1] ?? '"');
    for (const [kind, pattern] of [['name', NAME] as const, ['number', NUMBER] as const, ['sign', SIGN] as const]) {
      const text = this.match(pattern);
      if (text === null) continue;
      if (kind === 'sign') this.brackets = Math.max(0, this.brackets + (/^[([{]$/.test(text) ? 1 : /^[)\]}]$/.test(text) ? -1 : 0));
      this.add(kind, text);
      return;
    }
    throw new PythonProblem(`“${this.source[this.at] ?? ''}” is no Python`, this.line);
  }

  private text(begin: string, quote: string): void {
    const isRaw = /r/i.test(begin);
    const line = this.line;
    let value = '';
    this.at += begin.length;
    while (!this.source.startsWith(quote, this.at)) {
      const letter = this.source[this.at];
      if (letter === undefined || (letter === '\n' && quote.length === 1)) throw new PythonProblem('a text has no end', line);
      if (letter === '\\') {
        const next = this.source[this.at + 1] ?? '';
        value += isRaw ? `\\${next}` : this.escaped(next);
        if (next === '\n') this.line += 1;
        this.at += 2;
      } else {
        value += letter;
        if (letter === '\n') this.line += 1;
        this.at += 1;
      }
    }
    this.at += quote.length;
    const last = this.found.at(-1);
    // Adjacent string literals are concatenated.
    if (last?.kind === 'text') this.found[this.found.length - 1] = { ...last, text: last.text + value };
    else this.add('text', value, line);
  }

  private escaped(letter: string): string {
    if (letter === 'x' || letter === 'u') {
      const digits = this.source.slice(this.at + 2, this.at + 2 + (letter === 'x' ? 2 : 4));
      if (/^[\da-f]+$/i.test(digits)) {
        this.at += digits.length;
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
    }
    return ESCAPES.get(letter) ?? `\\${letter}`;
  }

  private add(kind: Token['kind'], text: string, line = this.line): void {
    if (this.found.length >= MAX_TOKENS) throw new PythonProblem('it is too long', line);
    this.found.push({ kind, text, line });
  }

  private newLine(letters: number): void {
    this.at += letters;
    this.line += 1;
  }

  private endOfLine(): number {
    const end = this.source.indexOf('\n', this.at);
    return end < 0 ? this.source.length : end;
  }

  private matchAt(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source);
  }

  private match(pattern: RegExp): string | null {
    const found = this.matchAt(pattern)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }
}
