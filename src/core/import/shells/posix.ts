import { bracesAt, type Choices, wordsOfBraces } from './braces.ts';
import { expansionAt, readAnsiQuote, ShellVariables } from './expansion.ts';
import { type HereDocument, hereDocumentAt, type Input, linesOfDocument, outputOf } from './input.ts';
import { beginsCommand, type ShellCommand, type ShellText, type ToolName, toolNameOf, type Unfilled, variableMark } from './shellText.ts';

/**
 * Splits a text into the words of its commands, as a POSIX shell or bash does. Removes quotes, backslashes and output redirections (`> file`,
 * `| tee file`). A line that does not begin a command continues the line before it, because mail programs break lines.
 */
export function posixCommands(text: string): ShellText {
  const scanner = new Scanner(text);
  scanner.scan();
  return { commands: withInputs(scanner), unfilled: scanner.unfilled, assumed: scanner.variables.assumed };
}

/** Sets piped output as the input of a command. Removes commands that only printed this output or set variables. */
function withInputs(scanner: Scanner): ShellCommand[] {
  const said = new Set<Open>();
  scanner.commands.forEach((command, index) => {
    const before = scanner.commands[index - 1];
    if (!command.isPiped || command.input !== null || before === undefined) return;
    command.input = outputOf(before.words, before.input);
    if (command.input.kind !== 'unknown') said.add(before);
  });
  return scanner.commands.filter(
    (command) => command.words.length > 0 && !said.has(command) && !scanner.variables.isFilledIn(command.words),
  );
}

interface Open {
  readonly words: string[];
  input: Input | null;
  readonly isPiped: boolean;
}

/** Typographic quotes that a word processor, a wiki or a mail program put in place of plain quotes. */
const DOUBLE_QUOTES = '“”„‟«»″';
const SINGLE_QUOTES = '‘’‚‛′';
const DOUBLE_END = /[“”„‟«»″"](?=[\s;|&)]|$)/;
const SINGLE_END = /[‘’‚‛′'](?=[\s;|&)]|$)/;
const DASHES = '–—−‐‑―';
/** Invisible characters that are copied with the text of a page. */
const INVISIBLE = '\u200b\u2060\ufeff\u00ad';
/** Matches the beginning of output of these tools that was copied with the command. */
const PRINTED =
  /^(This is ApacheBench|Benchmarking \S|Completed \d+ requests|Finished \d+ requests|Running \d+\w* test @|Initialised \d+ threads|Summary:|\s*% Total|HTTP\/\d[\d.]* \d{3}|Server Software:|\S*: command not found|[\w-]+: (line \d+: )?\S+: command not found)/;

class Scanner {
  readonly commands: Open[] = [{ words: [], input: null, isPiped: false }];
  readonly unfilled: Unfilled[];
  readonly variables: ShellVariables;
  private readonly text: string;
  private position = 0;
  /** The current word; null between words. */
  private word: string | null = null;
  /** The last letter of the word. Reading the word itself for each letter would join its parts anew each time. */
  private lastAdded = '';
  /** Tool of the current command; null until its name is read. */
  private tool: ToolName | null = null;
  /** Meaning of the next word if it is not an argument: an output file, an input file or an input text. */
  private nextWord: 'output' | 'file' | 'text' | null = null;
  /** Here-documents that begin with the next line, and the commands that read them. */
  private documents: { readonly document: HereDocument; readonly reader: Open }[] = [];
  /** Number of unclosed brackets in the word, as in an address. */
  private brackets = 0;
  /** Braces of the word that expand to several words. */
  private choices: Choices[] = [];

  /** Shares variables and notes with `outer`. */
  constructor(text: string, outer?: Scanner) {
    this.text = text;
    this.unfilled = outer?.unfilled ?? [];
    this.variables = outer?.variables ?? new ShellVariables();
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
        this.readDocuments();
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
        this.expand();
        return;
      case '#':
        if (this.word === null) this.comment();
        else this.add(letter);
        return;
      case '(':
      case ')':
        this.bracket(letter);
        return;
      case '{':
        this.braces();
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

  /** Reads a character without meaning in a shell. Typographic quotes and dashes are read as the typed ones. */
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

  /** Returns the length up to the closing quote before a space or the end; null if there is none. */
  private lengthUntil(end: RegExp): number | null {
    const length = this.text.slice(this.position + 1, this.position + MAX_QUOTED_LENGTH).search(end);
    return length < 0 ? null : length;
  }

  /** Begins a line. It continues the command above, unless it begins a command, is output, or follows a blank line. */
  private beginLine(): void {
    const rest = this.text.slice(this.position, this.position + 300);
    const isOpen = this.tool !== null;
    if (beginsCommand(rest) || /^\s*(done|fi|esac|\}|\))\s*([;&|]|$)/.test(rest.split('\n', 1)[0] ?? '')) this.nextCommand();
    else if (isOpen && PRINTED.test(rest)) {
      this.unfilled.push({ what: rest.split('\n', 1)[0]?.trim().slice(0, 40) ?? '', why: 'the output of a command' });
      this.skipPrinted();
    } else if (/^[ \t\r]*(\n|$)/.test(rest)) {
      if (isOpen && !goesOn(this.text.slice(this.position, this.position + 2_000))) this.nextCommand();
    } else if (!isOpen || !goesOnWith(this.commands.at(-1)?.words ?? [], rest)) this.nextCommand();
  }

  private skipPrinted(): void {
    while (this.position < this.text.length && !beginsCommand(this.text.slice(this.position, this.position + 300))) {
      const end = this.text.indexOf('\n', this.position);
      this.position = end < 0 ? this.text.length : end + 1;
    }
    this.nextCommand();
  }

  private nextCommand(isPiped = false): void {
    this.variables.setBy(this.commands.at(-1)?.words ?? []);
    this.commands.push({ words: [], input: null, isPiped });
    this.tool = null;
  }

  /** Reads a bracket: a subshell, or a letter within a word, as in an address. */
  private bracket(letter: string): void {
    const isOfWord = letter === '(' ? this.word !== null || this.commands.at(-1)?.words.length !== 0 : this.brackets > 0;
    if (isOfWord) {
      this.add(letter);
      this.brackets += letter === '(' ? 1 : -1;
      return;
    }
    this.position += 1;
    this.endWord();
    if (letter === ')') this.nextCommand();
  }

  private braces(): void {
    const found = bracesAt(this.text.slice(this.position));
    if (found === null) return this.add('{');
    this.choices.push({ at: this.word?.length ?? 0, values: found.values });
    this.add('', found.length);
  }

  private readDocuments(): void {
    for (const { document, reader } of this.documents) {
      const { body, next } = linesOfDocument(this.text, this.position, document);
      reader.input = { kind: 'text', text: document.isQuoted ? body : this.filled(body) };
      this.position = next;
    }
    this.documents = [];
  }

  /** Expands the variables in a here-document. Quotes in it are ordinary letters. */
  private filled(body: string): string {
    const inside = new Scanner(body, this);
    inside.quoted('', false);
    return inside.word ?? '';
  }

  private add(letters: string, length = letters.length): void {
    this.lastAdded = letters === '' && this.word !== null ? this.lastAdded : letters.slice(-1);
    this.word = (this.word ?? '') + letters;
    this.position += length;
  }

  private endWord(): void {
    if (this.word === null) return;
    const command = this.commands.at(-1);
    if (this.nextWord === 'file' && command !== undefined) command.input = { kind: 'file', path: this.word };
    else if (this.nextWord === 'text' && command !== undefined) command.input = { kind: 'text', text: `${this.word}\n` };
    else if (this.nextWord === null) {
      const words = this.choices.length === 0 ? [this.word] : wordsOfBraces(this.word, this.choices);
      command?.words.push(...words);
      this.tool ??= toolNameOf(words[0] ?? '');
    }
    this.choices = [];
    this.nextWord = null;
    this.brackets = 0;
    this.word = null;
  }

  private escaped(next: string): void {
    if (next === '\n') this.position += 2;
    else if (next === '\r' && this.text.charAt(this.position + 2) === '\n') this.position += 3;
    else if (next === '') this.position += 1;
    else {
      // Spaces after a backslash at the end of a line are invisible.
      let end = this.position + 1;
      while (/[ \t\r]/.test(this.text.charAt(end))) end += 1;
      if (end > this.position + 1 && this.text.charAt(end) === '\n') this.position = end + 1;
      else this.add(next, 2);
    }
  }

  /** Replaces a typographic dash with one or two hyphens. Long names get two, except in tools whose names all have one. */
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
    this.noteUnclosed(quote);
    this.add(this.text.slice(this.position + 1), this.text.length - this.position);
  }

  private noteUnclosed(quote: string): void {
    this.unfilled.push({ what: quote, why: 'an unclosed quote' });
  }

  private double(): void {
    this.quoted('"');
  }

  /** Reads up to a closing letter, or the whole text if there is none. Expands variables. */
  private quoted(closing: string, isOpened = true): void {
    if (this.word === null) this.add('', 0);
    if (isOpened) this.position += 1;
    while (this.position < this.text.length) {
      const letter = this.text.charAt(this.position);
      const next = this.text.charAt(this.position + 1);
      if (closing.includes(letter)) {
        this.position += 1;
        return;
      }
      if (letter === '\\' && (isOpened ? '"\\$`' : '\\$`').includes(next) && next !== '') this.add(next, 2);
      else if (letter === '\\' && next === '\n') this.position += 2;
      else if (letter === '$') this.dollar(next, true);
      else if (letter === '`') this.expand(true);
      else this.add(letter);
    }
    if (isOpened) this.noteUnclosed('"');
  }

  private dollar(next: string, isQuoted = false): void {
    if (next === "'" && !isQuoted) this.ansi();
    else if (next === '"' && !isQuoted) this.position += 1;
    else if (this.word === null && this.commands.at(-1)?.words.length === 0 && /\s/.test(next)) this.position += 1;
    else this.expand(isQuoted);
  }

  private expand(isQuoted = false): void {
    const expansion = expansionAt(this.text, this.position);
    switch (expansion.kind) {
      case 'none':
        this.add('$');
        return;
      case 'variable':
        this.variable(expansion.name, expansion.otherwise, expansion.length, isQuoted);
        return;
      case 'unknown': {
        const { what, why, length } = expansion;
        const name = this.variables.nameFor(this.text.slice(this.position, this.position + length), expansion.name);
        this.unfilled.push({ what, why, name });
        this.add(variableMark(name), length);
        return;
      }
      default:
        expansion satisfies never;
    }
  }

  /** Adds the value of a variable. Without quotes, a value with spaces becomes several words. */
  private variable(name: string, otherwise: string | null, length: number, isQuoted: boolean): void {
    const value = this.variables.valueOf(name, otherwise);
    if (value === null) return this.add(variableMark(/^\d/.test(name) ? `argument_${name}` : name), length);
    if (isQuoted || !/\s/.test(value)) return this.add(value, length);
    for (const word of value.split(/\s+/)) {
      this.add(word, 0);
      this.endWord();
    }
    this.position += length;
  }

  private ansi(): void {
    const { read, next, isClosed } = readAnsiQuote(this.text, this.position + 2);
    if (!isClosed) this.noteUnclosed("$'");
    this.add(read, next - this.position);
  }

  private operator(letter: string, next: string): void {
    const before = this.text.charAt(this.position - 1);
    // An address pasted without quotes can also contain these letters.
    const endsHere = next === '' || /\s/.test(next);
    if (letter === ';' && !endsHere) return this.add(letter);
    if (letter === '&' && next === '>') return this.redirection(2);
    if (letter === '&' && next !== '&' && !endsHere) return this.add(letter);
    if (letter === '>') {
      if (/^\d$/.test(this.word ?? '')) this.word = null;
      return this.redirection(next === '>' ? 2 : 1);
    }
    const [link] =
      letter === '<' ? (/^<https?:\/\/[^\s<>]{1,2000}>/i.exec(this.text.slice(this.position, this.position + 2_010)) ?? []) : [];
    if (link !== undefined && this.word === null) return this.add(link.slice(1, -1), link.length);
    this.endWord();
    if (letter === '<') return this.reading(next);
    this.position += next === letter ? 2 : 1;
    // The command after a single | processes the output. It is read, too, because it may be a known tool.
    if (before !== '|' || letter !== '|') this.nextCommand(letter === '|' && next !== '|');
  }

  /** Reads an input redirection: `< file`, `<<< text` or `<<EOF`. */
  private reading(next: string): void {
    const reader = this.commands.at(-1);
    const document = next === '<' ? hereDocumentAt(this.text, this.position) : null;
    if (this.text.startsWith('<<<', this.position)) {
      this.position += 3;
      this.nextWord = 'text';
    } else if (document !== null && reader !== undefined) {
      this.position += document.length;
      this.documents.push({ document, reader });
    } else {
      this.position += next === '<' ? 2 : 1;
      this.nextWord = 'file';
    }
  }

  private redirection(length: number): void {
    this.endWord();
    this.position += length;
    const [whole = ''] = /^&\d?-?/.exec(this.text.slice(this.position, this.position + 3)) ?? [];
    this.position += whole.length;
    this.nextWord = whole === '' ? 'output' : null;
  }
}

const MAX_QUOTED_LENGTH = 2_000;

/** Whether the text after blank lines continues the command: with an option, a quote or an address. */
function goesOn(text: string): boolean {
  return /^\s*(-|[–—]|https?:|['"“‘])/.test(text);
}

const ADDRESS = /^(https?:|localhost\b|[\w-]+(\.[\w-]+)+[:/]?)/i;

/** Whether a line continues the command above after a line break by a mail or a page. A shell would end the command there. */
function goesOnWith(words: readonly string[], line: string): boolean {
  const [first = ''] = line.trimStart().split(/\s/, 1);
  if (/^([-–—]+[A-Za-z]|['"“‘]|https?:)/.test(first) || /^-{1,2}[A-Za-z]/.test(words.at(-1) ?? '')) return true;
  return ADDRESS.test(first) && !words.some((word) => ADDRESS.test(word));
}
