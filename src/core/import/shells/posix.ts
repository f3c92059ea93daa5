import { beginsCommand, variableMark, type ShellText } from './shellText.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  v: '\v',
};

/**
 * The words of each command of a text, as a POSIX shell (and bash, with `$'…'`) would split it. Quotes and backslashes are taken away, where the
 * output goes (`> file`, `| tee file`) is left out. A line that begins no command goes on with the one before it, as lines do that a mail has broken.
 */
export function posixCommands(text: string): ShellText {
  const scanner = new Scanner(text);
  scanner.scan();
  return { commands: scanner.commands.filter((words) => words.length > 0), unfilled: scanner.unfilled };
}

class Scanner {
  readonly commands: string[][] = [[]];
  readonly unfilled: { what: string; why: string }[] = [];
  private readonly text: string;
  private position = 0;
  /** null between words. */
  private word: string | null = null;
  /** The next word is where output goes or input comes from. */
  private skipsWord = false;

  constructor(text: string) {
    this.text = text;
  }

  scan(): void {
    while (this.position < this.text.length) this.step(this.text.charAt(this.position));
    this.endWord();
  }

  private step(letter: string): void {
    const next = this.text.charAt(this.position + 1);
    switch (letter) {
      case '\n':
        this.position += 1;
        this.endWord();
        if (beginsCommand(this.text.slice(this.position, this.position + 300))) this.commands.push([]);
        return;
      case ' ':
      case '\t':
      case '\r':
      case '\u00a0':
        this.position += 1;
        this.endWord();
        return;
      case '\\':
        this.escaped(next);
        return;
      case "'":
        this.single();
        return;
      case '"':
        this.double();
        return;
      case '$':
        this.dollar(next);
        return;
      case '`':
        this.substitution('`');
        return;
      case '#':
        if (this.word === null && this.commands.at(-1)?.length !== 0) this.comment();
        else this.add(letter);
        return;
      case ';':
      case '&':
      case '|':
      case '<':
      case '>':
        this.operator(letter, next);
        return;
      default:
        this.add(letter);
    }
  }

  private add(letters: string, length = letters.length): void {
    this.word = (this.word ?? '') + letters;
    this.position += length;
  }

  private endWord(): void {
    if (this.word === null) return;
    if (this.skipsWord) this.skipsWord = false;
    else this.commands.at(-1)?.push(this.word);
    this.word = null;
  }

  private escaped(next: string): void {
    if (next === '\n') this.position += 2;
    else if (next === '\r' && this.text.charAt(this.position + 2) === '\n') this.position += 3;
    else if (next === '') this.position += 1;
    else this.add(next, 2);
  }

  private comment(): void {
    const end = this.text.indexOf('\n', this.position);
    this.position = end < 0 ? this.text.length : end;
  }

  private single(): void {
    const end = this.text.indexOf("'", this.position + 1);
    if (end < 0) this.unclosed("'");
    else this.add(this.text.slice(this.position + 1, end), end + 1 - this.position);
  }

  private unclosed(quote: string): void {
    this.unfilled.push({ what: quote, why: 'a quote that is not closed' });
    this.add(this.text.slice(this.position + 1), this.text.length - this.position);
  }

  private double(): void {
    this.word ??= '';
    this.position += 1;
    while (this.position < this.text.length) {
      const letter = this.text.charAt(this.position);
      const next = this.text.charAt(this.position + 1);
      if (letter === '"') {
        this.position += 1;
        return;
      }
      if (letter === '\\' && '"\\$`'.includes(next) && next !== '') this.add(next, 2);
      else if (letter === '\\' && next === '\n') this.position += 2;
      else if (letter === '$') this.dollar(next, true);
      else if (letter === '`') this.substitution('`');
      else this.add(letter);
    }
    this.unfilled.push({ what: '"', why: 'a quote that is not closed' });
  }

  private dollar(next: string, isQuoted = false): void {
    if (next === "'" && !isQuoted) this.ansi();
    else if (next === '"' && !isQuoted) this.position += 1;
    else if (next === '(') this.substitution('$(');
    else if (next === '{') this.braced();
    else if (/[A-Za-z_]/.test(next)) {
      const [name = ''] = /^\w+/.exec(this.text.slice(this.position + 1, this.position + 61)) ?? [];
      this.add(variableMark(name), name.length + 1);
    } else if (/[\d@*#?!$-]/.test(next)) {
      this.unfilled.push({ what: `$${next}`, why: 'something that only a shell can fill in' });
      this.add('', 2);
    } else if (this.word === null && this.commands.at(-1)?.length === 0 && /\s/.test(next)) this.position += 1;
    else this.add('$');
  }

  private braced(): void {
    const end = this.text.indexOf('}', this.position);
    const inside = end < 0 ? '' : this.text.slice(this.position + 2, end);
    if (/^[A-Za-z_]\w{0,59}$/.test(inside)) this.add(variableMark(inside), inside.length + 3);
    else {
      this.unfilled.push({ what: '${…}', why: 'something that only a shell can fill in' });
      this.add('', (end < 0 ? this.text.length : end + 1) - this.position);
    }
  }

  /** What a command in it would have printed is not known: it is never run. */
  private substitution(opening: '`' | '$('): void {
    this.unfilled.push({ what: opening === '`' ? '`…`' : '$(…)', why: 'a command whose output only a shell can fill in; it was not run' });
    if (opening === '`') {
      const end = this.text.indexOf('`', this.position + 1);
      this.add('', (end < 0 ? this.text.length : end + 1) - this.position);
      return;
    }
    let depth = 0;
    let end = this.position + 1;
    for (; end < this.text.length; end += 1) {
      if (this.text.charAt(end) === '(') depth += 1;
      if (this.text.charAt(end) === ')') depth -= 1;
      if (depth === 0) break;
    }
    this.add('', end + 1 - this.position);
  }

  /** `$'…'`, in which bash reads escapes; browsers copy bodies that way. */
  private ansi(): void {
    this.word ??= '';
    this.position += 2;
    while (this.position < this.text.length) {
      const letter = this.text.charAt(this.position);
      if (letter === "'") {
        this.position += 1;
        return;
      }
      if (letter === '\\') this.ansiEscape();
      else this.add(letter);
    }
    this.unfilled.push({ what: "$'", why: 'a quote that is not closed' });
  }

  private ansiEscape(): void {
    const rest = this.text.slice(this.position + 1, this.position + 10);
    const code = /^(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|([0-7]{1,3}))/.exec(rest);
    if (code) {
      const value = code[4] === undefined ? Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16) : Number.parseInt(code[4], 8);
      this.add(
        value > 0x10_ffff ? '' : rest.startsWith('u') ? String.fromCharCode(value) : String.fromCodePoint(value),
        code[0].length + 1,
      );
      return;
    }
    const letter = rest.charAt(0);
    this.add(Object.hasOwn(ESCAPES, letter) ? (ESCAPES[letter] ?? '') : letter, 2);
  }

  private operator(letter: string, next: string): void {
    const before = this.text.charAt(this.position - 1);
    // An address that was pasted without quotes holds such letters too.
    const endsHere = next === '' || /\s/.test(next);
    if (letter === ';' && !endsHere) return this.add(letter);
    if (letter === '&' && next === '>') return this.redirection(2);
    if (letter === '&' && next !== '&' && !endsHere) return this.add(letter);
    if (letter === '>') {
      if (/^\d$/.test(this.word ?? '')) this.word = null;
      return this.redirection(next === '>' ? 2 : 1);
    }
    this.endWord();
    if (letter === '<') {
      this.unfilled.push({ what: '<', why: 'a file, or lines below, to read from' });
      this.position += next === '<' ? 2 : 1;
      this.skipsWord = true;
      return;
    }
    this.position += next === letter ? 2 : 1;
    // Behind a single | stands what is done with the output; a command that is read is looked for there too.
    if (before !== '|' || letter !== '|') this.commands.push([]);
  }

  private redirection(length: number): void {
    this.endWord();
    this.position += length;
    const [whole = ''] = /^&\d?-?/.exec(this.text.slice(this.position, this.position + 3)) ?? [];
    this.position += whole.length;
    this.skipsWord = whole === '';
  }
}
