// oxlint-disable-next-line no-restricted-imports -- this file sets the limits
import { type Document, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, type Pair, parseDocument, type YAMLError } from 'yaml';
import { limitIssues, error, type Issue } from './issues.ts';

/** Maximum length of a source, checked before it is parsed. Real plans have a few kilobytes. */
export const MAX_SOURCE_LENGTH = 1_000_000;
/** Maximum nesting, because parsers are recursive. Real documents have a few levels. */
const MAX_DEPTH = 500;
/** Maximum number of aliases, because each alias is searched for among all anchors. */
const MAX_ALIASES = 1_000;
/** Maximum number of values that aliases may expand to. A few hundred characters of nested aliases could expand to billions of values. */
const MAX_ALIASED_VALUES = 10_000;

export interface ReadSource {
  /** The parsed value; undefined if there are issues. */
  readonly value: unknown;
  readonly issues: Issue[];
}

/** Reads YAML 1.2, which includes JSON, in linear time. Never throws; every syntax error becomes an issue with line and column. */
export function readYaml(source: string): ReadSource {
  if (source.length > MAX_SOURCE_LENGTH) {
    return refuseSource([tooLongIssue('SOURCE_TOO_LONG', source, MAX_SOURCE_LENGTH)]);
  }
  if (hasDeepBrackets(source)) return refuseSource([tooDeepIssue('')]);
  const json = readOwnJson(source);
  if (json !== undefined) return { value: json, issues: [] };
  const lines = new LineCounter();
  try {
    // The library would compare each name with all others of its block, and copy the line of each error. Both would take quadratic time.
    const document = withShallowStackTraces(() =>
      parseDocument(source, { uniqueKeys: false, merge: true, prettyErrors: false, lineCounter: lines, logLevel: 'silent' }),
    );
    // The library is recursive and reports an exhausted stack. Its other errors follow from that.
    const exhausted = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
    if (exhausted !== undefined) return refuseSource([tooDeepIssue(formatLocation(lines, exhausted.pos[0]))]);
    const faults =
      document.errors.length > 0 ? document.errors.map((error) => syntaxIssue(error, lines)) : new Structure(document, lines).issues;
    return faults.length > 0 ? refuseSource(faults) : { value: document.toJS({ maxAliasCount: -1 }) as unknown, issues: [] };
  } catch {
    return refuseSource([
      error('SOURCE_UNREADABLE', '', 'The text is not valid YAML or JSON.', 'It is probably nested too deeply or damaged.'),
    ]);
  }
}

/**
 * Returns the line (from 1) of the part of a YAML text at `path`, such as `['criteria', 0]`, or of the closest part above it that the text
 * has. Returns 1 for a text with issues.
 */
export function findLine(source: string, path: readonly (string | number)[]): number {
  if (readYaml(source).issues.length > 0) return 1;
  const lines = new LineCounter();
  const document = parseDocument(source, { uniqueKeys: false, merge: true, lineCounter: lines, logLevel: 'silent' });
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if ((isMap(node) || isSeq(node) || isScalar(node)) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/**
 * Reads text in the form of `JSON.stringify`, 100 times as fast as the library. Returns undefined for any other text. Text of this form has
 * no issues, because a duplicate name or a number that loses digits would change the form.
 */
function readOwnJson(source: string): unknown {
  if (!source.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(source);
    return JSON.stringify(value) === source ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs `work` without stack traces. A damaged text of a megabyte has a million errors, and each trace costs more than finding the error.
 */
function withShallowStackTraces<Result>(work: () => Result): Result {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/**
 * Returns whether brackets are nested or unbalanced too deeply. Unbalanced brackets keep the library busy long before it reports an error.
 */
function hasDeepBrackets(text: string): boolean {
  // Counting brackets is fast and comes first. Only the library's lexer recognizes brackets inside texts.
  return areDeep(text.match(/[[\]{}]/g) ?? []) && areDeep(new Lexer().lex(text));
}

function areDeep(tokens: Iterable<string>): boolean {
  let depth = 0;
  let unopened = 0;
  for (const token of tokens) {
    if (token === '[' || token === '{') depth += 1;
    else if (token !== ']' && token !== '}') continue;
    else if (depth > 0) depth -= 1;
    else unopened += 1;
    if (depth > MAX_DEPTH || unopened > MAX_DEPTH) return true;
  }
  return false;
}

/** Finds, in one pass in the order of the text, what the syntax allows but a document must not contain. */
class Structure {
  readonly issues: Issue[] = [];
  private readonly lines: LineCounter;
  /** Number of values of each anchor; null while the anchor's own value is being read. */
  private readonly anchors = new Map<string, number | null>();
  private aliases = 0;
  private aliasedValues = 0;

  constructor(document: Document, lines: LineCounter) {
    this.lines = lines;
    this.countValues(document.contents, 0);
    if (this.aliases > MAX_ALIASES || this.aliasedValues > MAX_ALIASED_VALUES) {
      const message = 'The text uses too many YAML aliases.';
      this.issues.push(error('TOO_MANY_ALIASES', '', message, 'Replace the aliases with their contents.'));
    }
  }

  /** Returns the number of values to which a part of the document expands. */
  private countValues(node: unknown, depth: number): number {
    if (isAlias(node)) return this.countAliasValues(node.source, node.range?.[0]);
    if (!isMap(node) && !isSeq(node)) {
      if (isScalar(node) && node.anchor !== undefined) this.anchors.set(node.anchor, 1);
      return 1;
    }
    if (depth > MAX_DEPTH) {
      if (!this.issues.some(({ code }) => code === 'TOO_DEEP')) this.issues.push(tooDeepIssue(this.placeOf(node.range?.[0])));
      return 1;
    }
    if (node.anchor !== undefined) this.anchors.set(node.anchor, null);
    let values = 1;
    if (isMap(node)) {
      this.checkNames(node.items);
      for (const { value } of node.items) values += this.countValues(value, depth + 1);
    } else for (const item of node.items) values += this.countValues(item, depth + 1);
    if (node.anchor !== undefined) this.anchors.set(node.anchor, values);
    return values;
  }

  private countAliasValues(name: string, offset: number | undefined): number {
    const values = this.anchors.get(name);
    this.aliases += 1;
    if (values === undefined) {
      const message = `The alias *${clipText(name)} has no anchor before it.`;
      this.issues.push(
        error(
          'UNKNOWN_ALIAS',
          this.placeOf(offset),
          message,
          'Put quotes around it if it is text. Otherwise replace it with its contents.',
        ),
      );
    } else if (values === null) {
      const message = 'A part of the text contains itself (a YAML alias inside its own anchor).';
      this.issues.push(error('REPEATS_ITSELF', this.placeOf(offset), message, 'Replace the alias with its contents.'));
    } else this.aliasedValues += values;
    return values ?? 1;
  }

  /** Reports names that are duplicated or are not text, because a block becomes an object. */
  private checkNames(pairs: readonly Pair[]): void {
    const names = new Set<string>();
    for (const { key } of pairs) {
      if (!isScalar(key)) {
        const offset = isMap(key) || isSeq(key) || isAlias(key) ? key.range?.[0] : undefined;
        const message = 'A block, a list or an alias is where a name is expected.';
        this.issues.push(error('NAME_NOT_TEXT', this.placeOf(offset), message, 'Put quotes around it if it is text, such as "{{name}}".'));
        continue;
      }
      const name = String(key.value);
      if (names.has(name)) this.issues.push(duplicate(this.placeOf(key.range?.[0])));
      names.add(name);
    }
  }

  private placeOf(offset: number | undefined): string {
    return offset === undefined ? '' : formatLocation(this.lines, offset);
  }
}

function syntaxIssue({ message, pos }: YAMLError, lines: LineCounter): Issue {
  const place = pos[0] < 0 ? '' : formatLocation(lines, pos[0]);
  return error(
    'SYNTAX',
    place,
    `This is not valid YAML or JSON: ${clipText(message.split('\n')[0] ?? '')}`,
    'Check indentation, quotes and brackets there.',
  );
}

function duplicate(place: string): Issue {
  return error('DUPLICATE_KEY', place, 'A name is used twice in the same block.', 'Keep one of the two.');
}

export const DOCUMENT_TOO_DEEP_MESSAGE = 'The document is nested too deeply.';

/** Returns the issue for a text with more than `maxLength` characters. */
export function tooLongIssue(code: string, text: string, maxLength: number): Issue {
  return error(code, '', `The text has ${text.length} characters.`, `The limit is ${maxLength}.`);
}

function tooDeepIssue(place: string): Issue {
  return error('TOO_DEEP', place, DOCUMENT_TOO_DEEP_MESSAGE, `The limit is ${MAX_DEPTH} levels. Probably no tool wrote it.`);
}

function formatLocation(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `line ${line}, column ${col}`;
}

function clipText(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function refuseSource(issues: Issue[]): ReadSource {
  return { value: undefined, issues: limitIssues(issues) };
}
