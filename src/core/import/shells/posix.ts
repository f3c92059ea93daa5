import { parseBraces, type Choices, parseExpansion, readAnsiQuote, ShellVariables, wordsOfBraces } from './expansion.ts';
import { type HereDocument, parseHereDocument, type Input, linesOfDocument, readOutput } from './input.ts';
import {
  beginsCommand,
  type ShellCommand,
  type ShellText,
  type ToolName,
  readToolName,
  type UnfilledPart,
  variableMark,
} from './shellText.ts';

/**
 * Splits a text into the words of its commands, as a POSIX shell or bash does. Removes quotes, backslashes and output redirections (`>
 * file`, `| tee file`). A line that does not begin a command continues the line before it, because mail programs break lines.
 */
export function posixCommands(text: string): ShellText {
  const scanner = new Scanner(text);
  scanner.scan();
  return { commands: attachInputs(scanner), unfilled: scanner.unfilled, assumed: scanner.variables.assumed };
}

/** Turns piped output into the input of the next command. Removes commands that only printed this output or set variables. */
function attachInputs({ commands, variables }: Scanner): ShellCommand[] {
  const printing = new Set<OpenCommand>();
  commands.forEach((command, index) => {
    const before = commands[index - 1];
    if (!command.isPiped || command.input !== null || before === undefined) return;
    command.input = readOutput(before.words, before.input);
    if (command.input.kind !== 'unknown') printing.add(before);
  });
  return commands.filter((command) => command.words.length > 0 && !printing.has(command) && !variables.isFilledIn(command.words));
}

interface OpenCommand {
  readonly words: string[];
  input: Input | null;
  readonly isPiped: boolean;
}

/** Typographic quotes that a word processor, a wiki or a mail program put in place of plain quotes. */
const DOUBLE_QUOTES = '“”„‟«»″';
const DOUBLE_QUOTE_END_PATTERN = /[“”„‟«»″"](?=[\s;|&)]|$)/;
const SINGLE_QUOTES = '‘’‚‛′';
const SINGLE_QUOTE_END_PATTERN = /[‘’‚‛′'](?=[\s;|&)]|$)/;
const DASHES = '–—−‐‑―';
/** Invisible characters that are copied along with the text of a page. */
const INVISIBLE_CHARACTERS = '\u200b\u2060\u00ad';
const MAX_QUOTED_LENGTH = 2_000;
/** Matches the beginning of tool output that was copied along with the command. */
const OUTPUT_LINE_PATTERN =
  /^(This is ApacheBench|Benchmarking \S|Completed \d+ requests|Finished \d+ requests|Running \d+\w* test @|Initialised \d+ threads|Summary:|\s*% Total|HTTP\/\d[\d.]* \d{3}|Server Software:|\S*: command not found|[\w-]+: (line \d+: )?\S+: command not found)/;
const ADDRESS_PATTERN = /^(https?:|localhost\b|[\w-]+(\.[\w-]+)+[:/]?)/i;

class Scanner {
  readonly commands: OpenCommand[] = [];
  readonly unfilled: UnfilledPart[];
  readonly variables: ShellVariables;
  private readonly text: string;
  private position = 0;
  private command: OpenCommand;
  private word: string | null = null;
  /** The last letter of the word, cached because indexing a growing string is slow. */
  private lastAdded = '';
  /** Tool of the current command; null until its name is read. */
  private tool: ToolName | null = null;
  /** Meaning of the next word if it is not an argument: an output file, an input file, or an input text. */
  private nextWord: 'output' | 'file' | 'text' | null = null;
  /** Here-documents that begin with the next line, each with the command that reads it. */
  private documents: { readonly document: HereDocument; readonly reader: OpenCommand }[] = [];
  /** Number of unclosed brackets in the word. An address may contain them. */
  private brackets = 0;
  /** Braces in the word that expand to several words. */
  private choices: Choices[] = [];

  /** Shares variables and notes with `outer`. */
  constructor(text: string, outer?: Scanner) {
    this.text = text;
    this.unfilled = outer?.unfilled ?? [];
    this.variables = outer?.variables ?? new ShellVariables();
    this.command = this.openCommand(false);
  }

  scan(): void {
    while (this.position < this.text.length) this.step(this.letter(0));
    this.endWord();
  }

  private step(letter: string): void {
    if (letter === '\n') this.newLine();
    else if (/\s/.test(letter)) this.endWord(1);
    else if (letter === '\\') this.escaped(this.letter(1));
    else if (letter === "'") this.single();
    else if (letter === '"') this.quoted('"');
    else if (letter === '$') this.dollar(this.letter(1));
    else if (letter === '`') this.expand();
    else if (letter === '#' && this.word === null) this.position = this.lineEnd();
    else if (letter === '(' || letter === ')') this.bracket(letter);
    else if (letter === '{') this.braces();
    else if (';&|<>'.includes(letter)) this.operator(letter, this.letter(1));
    else if (INVISIBLE_CHARACTERS.includes(letter)) this.position += 1;
    else this.typographic(letter);
  }

  private letter(offset: number): string {
    return this.text.charAt(this.position + offset);
  }

  private rest(length: number): string {
    return this.text.slice(this.position, this.position + length);
  }

  private lineEnd(): number {
    const end = this.text.indexOf('\n', this.position);
    return end < 0 ? this.text.length : end;
  }

  /** Reads a character without meaning in a shell. Typographic quotes and dashes are read as the typed ones. */
  private typographic(letter: string): void {
    const begins = this.word === null || this.lastAdded === '=';
    const end = DOUBLE_QUOTES.includes(letter)
      ? DOUBLE_QUOTE_END_PATTERN
      : SINGLE_QUOTES.includes(letter)
        ? SINGLE_QUOTE_END_PATTERN
        : null;
    const length = begins && end !== null ? this.rest(MAX_QUOTED_LENGTH).slice(1).search(end) : -1;
    if (length >= 0 && end === DOUBLE_QUOTE_END_PATTERN) this.quoted(`${DOUBLE_QUOTES}"`);
    else if (length >= 0) this.add(this.rest(length + 1).slice(1), length + 2);
    else if (this.word === null && DASHES.includes(letter)) this.dash(letter);
    else this.add(letter);
  }

  private newLine(): void {
    this.endWord(1);
    for (const { document, reader } of this.documents) {
      const { body, next } = linesOfDocument(this.text, this.position, document);
      reader.input = { kind: 'text', text: document.isQuoted ? body : this.filled(body) };
      this.position = next;
    }
    this.documents = [];
    this.beginLine();
  }

  /** Begins a line, which continues the command above unless it begins a command, is output, or follows a blank line. */
  private beginLine(): void {
    const rest = this.rest(300);
    const isOpen = this.tool !== null;
    if (beginsCommand(rest) || /^[^\S\n]*(done|fi|esac|\}|\))[^\S\n]*([;&|\n]|$)/.test(rest)) this.nextCommand();
    else if (isOpen && OUTPUT_LINE_PATTERN.test(rest)) {
      this.unfilled.push({ what: this.text.slice(this.position, this.lineEnd()).trim().slice(0, 40), why: 'the output of a command' });
      while (this.position < this.text.length && !beginsCommand(this.rest(300))) this.position = this.lineEnd() + 1;
      this.nextCommand();
    } else if (/^[ \t\r]*(\n|$)/.test(rest)) {
      // After blank lines, only an option, a quote or an address continues the command.
      if (isOpen && !/^\s*(-|[–—]|https?:|['"“‘])/.test(this.rest(2_000))) this.nextCommand();
    } else if (!isOpen || !continuesCommand(this.command.words, rest)) this.nextCommand();
  }

  private openCommand(isPiped: boolean): OpenCommand {
    const command = { words: [], input: null, isPiped };
    this.commands.push(command);
    return command;
  }

  private nextCommand(isPiped = false): void {
    this.variables.assignFrom(this.command.words);
    this.command = this.openCommand(isPiped);
    this.tool = null;
  }

  /** Reads a bracket: a subshell, or a letter within a word, as in an address. */
  private bracket(letter: string): void {
    const isOfWord = letter === '(' ? this.word !== null || this.command.words.length > 0 : this.brackets > 0;
    if (isOfWord) {
      this.add(letter);
      this.brackets += letter === '(' ? 1 : -1;
    } else {
      this.endWord(1);
      if (letter === ')') this.nextCommand();
    }
  }

  private braces(): void {
    const found = parseBraces(this.text, this.position);
    if (found === null) return this.add('{');
    this.choices.push({ at: this.word?.length ?? 0, values: found.values });
    this.add('', found.length);
  }

  /** Expands the variables in a here-document. Quotes in it are ordinary letters. */
  private filled(body: string): string {
    const innerScanner = new Scanner(body, this);
    innerScanner.quoted('', false);
    return innerScanner.word ?? '';
  }

  private add(letters: string, length = letters.length): void {
    this.lastAdded = letters === '' && this.word !== null ? this.lastAdded : letters.slice(-1);
    this.word = (this.word ?? '') + letters;
    this.position += length;
  }

  /** Ends the current word, and skips `skipped` characters after it. */
  private endWord(skipped = 0): void {
    this.position += skipped;
    if (this.word === null) return;
    if (this.nextWord === 'file') this.command.input = { kind: 'file', path: this.word };
    else if (this.nextWord === 'text') this.command.input = { kind: 'text', text: `${this.word}\n` };
    else if (this.nextWord === null) {
      const words = wordsOfBraces(this.word, this.choices);
      this.command.words.push(...words);
      this.tool ??= readToolName(words[0] ?? '');
    }
    this.choices = [];
    this.nextWord = null;
    this.brackets = 0;
    this.word = null;
  }

  private escaped(next: string): void {
    // Spaces after a backslash at the end of a line are invisible.
    const [broken] = /^\\[ \t\r]*\n/.exec(this.rest(MAX_QUOTED_LENGTH)) ?? [];
    if (broken !== undefined) this.position += broken.length;
    else if (next === '') this.position += 1;
    else this.add(next, 2);
  }

  /** Replaces a typographic dash by one or two hyphens. Long names get two, except in tools whose long names all have one. */
  private dash(letter: string): void {
    const [run = ''] = /^[–—−‐‑―-]{2,3}/.exec(this.rest(3)) ?? [];
    const [name = ''] = /^[A-Za-z][\w-]*/.exec(this.rest(41).slice(1)) ?? [];
    const isLong = /^[a-z][a-z-]{2,}$/.test(name) && this.tool !== 'ab' && this.tool !== 'hey';
    if (run !== '') this.add('--', run.length);
    else if (name === '') this.add(letter);
    else this.add(isLong ? '--' : '-', 1);
  }

  private single(): void {
    const end = this.text.indexOf("'", this.position + 1);
    if (end < 0) this.noteUnclosed("'");
    const content = this.text.slice(this.position + 1, end < 0 ? this.text.length : end);
    this.add(content, content.length + (end < 0 ? 1 : 2));
  }

  private noteUnclosed(quote: string): void {
    this.unfilled.push({ what: quote, why: 'an unclosed quote' });
  }

  /** Reads up to a closing letter, or the whole text if there is none. Expands variables. */
  private quoted(closing: string, isOpened = true): void {
    if (this.word === null) this.add('', 0);
    if (isOpened) this.position += 1;
    const escapable = isOpened ? '"\\$`' : '\\$`';
    while (this.position < this.text.length) {
      const letter = this.letter(0);
      const next = this.letter(1);
      if (closing.includes(letter)) {
        this.position += 1;
        return;
      }
      if (letter === '\\' && next !== '' && escapable.includes(next)) this.add(next, 2);
      else if (letter === '\\' && next === '\n') this.position += 2;
      else if (letter === '$' || letter === '`') this.expand(true);
      else this.add(letter);
    }
    if (isOpened) this.noteUnclosed('"');
  }

  private dollar(next: string): void {
    if (next === "'") {
      const { read, next: end, isClosed } = readAnsiQuote(this.text, this.position + 2);
      if (!isClosed) this.noteUnclosed("$'");
      this.add(read, end - this.position);
    } else if (next === '"' || (this.word === null && this.command.words.length === 0 && /\s/.test(next))) this.position += 1;
    else this.expand();
  }

  private expand(isQuoted = false): void {
    const expansion = parseExpansion(this.text, this.position);
    if (expansion.kind === 'none') this.add('$');
    else if (expansion.kind === 'variable') this.variable(expansion.name, expansion.otherwise, expansion.length, isQuoted);
    else {
      const { what, why, length } = expansion;
      const name = this.variables.nameFor(this.rest(length), expansion.name);
      this.unfilled.push({ what, why, name });
      this.add(variableMark(name), length);
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

  private operator(letter: string, next: string): void {
    // These letters may also be part of an address that was pasted without quotes.
    const endsHere = this.word === null || next === '' || /\s/.test(next);
    const [link] = this.word === null ? (/^<https?:\/\/[^\s<>]{1,2000}>/i.exec(this.rest(2_010)) ?? []) : [];
    if (letter === '&' && next === '>') this.redirection(2);
    else if (!endsHere && (letter === ';' || (letter === '&' && next !== '&'))) this.add(letter);
    else if (letter === '>') {
      if (/^\d$/.test(this.word ?? '')) this.word = null;
      this.redirection(next === '>' ? 2 : 1);
    } else if (link !== undefined) this.add(link.slice(1, -1), link.length);
    else if (letter === '<') this.reading(next);
    else {
      const isAfterPipe = letter === '|' && this.letter(-1) === '|';
      this.endWord(next === letter ? 2 : 1);
      // The command after a single | processes the output. It is also read, because it may be a known tool.
      if (!isAfterPipe) this.nextCommand(letter === '|' && next !== '|');
    }
  }

  /** Reads an input redirection: `< file`, `<<< text` or `<<EOF`. */
  private reading(next: string): void {
    this.endWord();
    const document = next === '<' ? parseHereDocument(this.text, this.position) : null;
    if (document !== null) {
      this.documents.push({ document, reader: this.command });
      this.position += document.length;
      return;
    }
    const isText = this.rest(3) === '<<<';
    this.position += isText ? 3 : next === '<' ? 2 : 1;
    this.nextWord = isText ? 'text' : 'file';
  }

  private redirection(length: number): void {
    this.endWord(length);
    const [whole = ''] = /^&\d?-?/.exec(this.rest(3)) ?? [];
    this.position += whole.length;
    this.nextWord = whole === '' ? 'output' : null;
  }
}

/** Returns whether a line continues the command above because a mail or a page broke the line. A shell would end the command there. */
function continuesCommand(words: readonly string[], line: string): boolean {
  const [first = ''] = line.trimStart().split(/\s/, 1);
  if (/^([-–—]+[A-Za-z]|['"“‘]|https?:)/.test(first) || /^-{1,2}[A-Za-z]/.test(words.at(-1) ?? '')) return true;
  return ADDRESS_PATTERN.test(first) && !words.some((word) => ADDRESS_PATTERN.test(word));
}
