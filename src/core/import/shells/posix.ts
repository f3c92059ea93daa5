import { getOwn } from '#core/ownMembers.ts';
import { isSecretField } from '#core/plan/secretNames.ts';
import { beginsCommand, toolNameOf, variableMark, type ShellText, type ToolName } from './shellText.ts';

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
  return { commands: scanner.commands.filter((words) => words.length > 0 && !scanner.isFilledIn(words)), unfilled: scanner.unfilled };
}

/** Quotes that a word processor, a wiki or a mail made of those that were typed. */
const DOUBLE_QUOTES = '“”„‟«»″';
const SINGLE_QUOTES = '‘’‚‛′';
const DOUBLE_END = /[“”„‟«»″"](?=[\s;|&)]|$)/;
const SINGLE_END = /[‘’‚‛′'](?=[\s;|&)]|$)/;
const DASHES = '–—−‐‑―';
/** What is seen nowhere, and comes along when a page is copied. */
const INVISIBLE = '\u200b\u2060\ufeff\u00ad';
/** How what these tools print begins, where it was copied with the command. */
const PRINTED =
  /^(This is ApacheBench|Benchmarking \S|Completed \d+ requests|Finished \d+ requests|Running \d+\w* test @|Initialised \d+ threads|Summary:|\s*% Total|HTTP\/\d[\d.]* \d{3}|Server Software:|\S*: command not found|[\w-]+: (line \d+: )?\S+: command not found)/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

class Scanner {
  readonly commands: string[][] = [[]];
  readonly unfilled: { what: string; why: string }[] = [];
  private readonly text: string;
  private position = 0;
  /** null between words. */
  private word: string | null = null;
  /** The end of the word. A look at the word itself would put all its letters together anew, for each letter. */
  private lastAdded = '';
  /** Of the command that is being read; null until it is named. */
  private tool: ToolName | null = null;
  /** The next word is where output goes or input comes from. */
  private skipsWord = false;
  /** Values that a command before gave to variables. */
  private readonly values = new Map<string, string>();
  private readonly filledIn = new Set<string>();
  private lettersFilledIn = 0;

  constructor(text: string) {
    this.text = text;
  }

  scan(): void {
    while (this.position < this.text.length) this.step(this.text.charAt(this.position));
    this.endWord();
  }

  /** Whether a command does nothing but set variables, and their values were put where they are asked for. */
  isFilledIn(words: readonly string[]): boolean {
    const names = assigned(words).map(([name]) => name);
    return names.length > 0 && names.every((name) => this.filledIn.has(name));
  }

  private step(letter: string): void {
    const next = this.text.charAt(this.position + 1);
    switch (letter) {
      case '\n':
        this.position += 1;
        this.endWord();
        this.beginLine();
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
        this.other(letter);
    }
  }

  /** A letter that means nothing to a shell; some were something else when they were typed. */
  private other(letter: string): void {
    const begins = this.word === null || this.lastAdded === '=';
    if (/\s/.test(letter)) {
      this.position += 1;
      this.endWord();
    } else if (INVISIBLE.includes(letter)) this.position += 1;
    else if (begins && DOUBLE_QUOTES.includes(letter) && this.lengthUntil(DOUBLE_END) !== null) this.quoted(`${DOUBLE_QUOTES}"`);
    else if (begins && SINGLE_QUOTES.includes(letter)) {
      const length = this.lengthUntil(SINGLE_END);
      if (length === null) this.add(letter);
      else this.add(this.text.slice(this.position + 1, this.position + 1 + length), length + 2);
    } else if (this.word === null && DASHES.includes(letter)) this.dash();
    else this.add(letter);
  }

  /** How many letters stand between this quote and the one that closes it, before a blank or the end; null when there is none. */
  private lengthUntil(end: RegExp): number | null {
    const length = this.text.slice(this.position + 1, this.position + LONGEST_QUOTED).search(end);
    return length < 0 ? null : length;
  }

  /** A line that begins no command goes on with the one before it, unless it is what that one printed, or stands apart. */
  private beginLine(): void {
    const rest = this.text.slice(this.position, this.position + 300);
    const isOpen = this.tool !== null;
    if (beginsCommand(rest) || /^\s*(done|fi|esac|\}|\))\s*([;&|]|$)/.test(rest.split('\n', 1)[0] ?? '')) this.nextCommand();
    else if (isOpen && PRINTED.test(rest)) {
      this.unfilled.push({ what: rest.split('\n', 1)[0]?.trim().slice(0, 40) ?? '', why: 'what a command printed' });
      this.skipPrinted();
    } else if (
      /^[ \t\r]*(\n|$)/.test(rest)
        ? isOpen && !goesOn(this.text.slice(this.position, this.position + 2_000))
        : endsAssignments(this.commands.at(-1))
    )
      this.nextCommand();
  }

  private skipPrinted(): void {
    while (this.position < this.text.length && !beginsCommand(this.text.slice(this.position, this.position + 300))) {
      const end = this.text.indexOf('\n', this.position);
      this.position = end < 0 ? this.text.length : end + 1;
    }
    this.nextCommand();
  }

  private nextCommand(): void {
    for (const [name, value] of assigned(this.commands.at(-1) ?? [])) this.values.set(name, value);
    this.commands.push([]);
    this.tool = null;
  }

  private add(letters: string, length = letters.length): void {
    this.lastAdded = letters === '' && this.word !== null ? this.lastAdded : letters.slice(-1);
    this.word = (this.word ?? '') + letters;
    this.position += length;
  }

  private endWord(): void {
    if (this.word === null) return;
    if (this.skipsWord) this.skipsWord = false;
    else {
      this.commands.at(-1)?.push(this.word);
      this.tool ??= toolNameOf(this.word);
    }
    this.word = null;
  }

  private escaped(next: string): void {
    if (next === '\n') this.position += 2;
    else if (next === '\r' && this.text.charAt(this.position + 2) === '\n') this.position += 3;
    else if (next === '') this.position += 1;
    else {
      // Blanks behind a backslash at the end of a line are seen by nobody.
      const [blank = null] = /^[ \t]+\r?\n/.exec(this.text.slice(this.position + 1, this.position + 40)) ?? [];
      if (blank === null) this.add(next, 2);
      else this.position += 1 + blank.length;
    }
  }

  /** A dash for one or two hyphens: long names have two, but for tools whose names all have one. */
  private dash(): void {
    const [run = ''] = /^[–—−‐‑―-]{2,3}/.exec(this.text.slice(this.position, this.position + 3)) ?? [];
    if (run !== '') return this.add('--', run.length);
    const [name = ''] = /^[A-Za-z][\w-]*/.exec(this.text.slice(this.position + 1, this.position + 41)) ?? [];
    if (name === '') return this.add(this.text.charAt(this.position));
    const isLong = /^[a-z][a-z-]{2,}$/.test(name) && this.tool !== 'ab' && this.tool !== 'hey';
    this.add(isLong ? '--' : '-', 1);
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
    this.quoted('"');
  }

  /** Up to one of the letters that close it; variables are looked for. */
  private quoted(closing: string): void {
    if (this.word === null) this.add('', 0);
    this.position += 1;
    while (this.position < this.text.length) {
      const letter = this.text.charAt(this.position);
      const next = this.text.charAt(this.position + 1);
      if (closing.includes(letter)) {
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
    else if (next === '{') this.braced(isQuoted);
    else if (/[A-Za-z_]/.test(next)) {
      const [name = ''] = /^\w+/.exec(this.text.slice(this.position + 1, this.position + 61)) ?? [];
      this.variable(name, name.length + 1, isQuoted);
    } else if (/[\d@*#?!$-]/.test(next)) {
      this.unfilled.push({ what: `$${next}`, why: 'something that only a shell can fill in' });
      this.add('', 2);
    } else if (this.word === null && this.commands.at(-1)?.length === 0 && /\s/.test(next)) this.position += 1;
    else this.add('$');
  }

  /** The value that was given to it before, as a shell would put it; a secret, and what is not known, is asked for when the plan runs. */
  private variable(name: string, length: number, isQuoted: boolean): void {
    const value = isSecretField(name) ? undefined : this.values.get(name);
    if (value === undefined || this.lettersFilledIn + value.length > MOST_FILLED_IN) return this.add(variableMark(name), length);
    this.filledIn.add(name);
    this.lettersFilledIn += value.length;
    if (isQuoted || !/\s/.test(value)) return this.add(value, length);
    for (const word of value.split(/\s+/)) {
      this.add(word, 0);
      this.endWord();
    }
    this.position += length;
  }

  private braced(isQuoted: boolean): void {
    const end = this.text.indexOf('}', this.position);
    const inside = end < 0 ? '' : this.text.slice(this.position + 2, end);
    if (/^[A-Za-z_]\w{0,59}$/.test(inside)) this.variable(inside, inside.length + 3, isQuoted);
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
    if (this.word === null) this.add('', 0);
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
    this.add(getOwn(ESCAPES, letter) ?? letter, 2);
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
    if (before !== '|' || letter !== '|') this.nextCommand();
  }

  private redirection(length: number): void {
    this.endWord();
    this.position += length;
    const [whole = ''] = /^&\d?-?/.exec(this.text.slice(this.position, this.position + 3)) ?? [];
    this.position += whole.length;
    this.skipsWord = whole === '';
  }
}

const LONGEST_QUOTED = 2_000;
/** Letters that values of variables may bring in: they may hold each other. */
const MOST_FILLED_IN = 100_000;

/** Names and values of a command that only sets variables; none of another one. */
function assigned(words: readonly string[]): (readonly [name: string, value: string])[] {
  const own = /^(export|set|readonly|declare)$/.test(words[0] ?? '') ? words.slice(1) : words;
  if (own.length === 0 || !own.every((word) => ASSIGNMENT.test(word))) return [];
  return own.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const);
}

/** Whether a line that sets variables is a command of its own. */
function endsAssignments(words: readonly string[] | undefined): boolean {
  return assigned(words ?? []).length > 0;
}

/** Whether behind blank lines stands what belongs to the command: an option, a quote, an address. */
function goesOn(text: string): boolean {
  return /^\s*(-|[–—]|https?:|['"“‘])/.test(text);
}
