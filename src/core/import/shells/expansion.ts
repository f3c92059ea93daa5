import { getOwn } from '#core/base/ownMembers.ts';
import { isSecretField } from '#core/plan/secretShapes.ts';
import { freeName } from '#core/base/text.ts';

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
/** Matches an escape in `$'…'`: a hexadecimal or octal code, or a letter. */
const ESCAPE_PATTERN = /\\(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|([0-7]{1,3})|([^]?))/g;

/**
 * Reads the text of `$'…'` with its escapes; browsers copy bodies in this form. `from` is the position after the opening quote, and `next`
 * the position after the closing quote.
 */
export function readAnsiQuote(text: string, from: number): { readonly read: string; readonly next: number; readonly isClosed: boolean } {
  const quoted = /(?:[^'\\]+|\\[^]?)*/y;
  quoted.lastIndex = from;
  const [content = ''] = quoted.exec(text) ?? [];
  const end = from + content.length;
  const isClosed = text.charAt(end) === "'";
  const read = content.replaceAll(ESCAPE_PATTERN, (_whole, hex?: string, short?: string, long?: string, octal?: string, letter = '') => {
    if (short !== undefined) return String.fromCharCode(Number.parseInt(short, 16));
    const code = octal === undefined ? Number.parseInt(hex ?? long ?? '', 16) : Number.parseInt(octal, 8);
    if (Number.isNaN(code)) return getOwn(ESCAPES, letter) ?? letter;
    return code > 0x10_ffff ? '' : String.fromCodePoint(code);
  });
  return { read, next: isClosed ? end + 1 : end, isClosed };
}

/** Maximum total length of expanded values. Values can contain each other, so the length can grow exponentially. */
const MAX_EXPANDED_LETTERS = 100_000;
const ASSIGNMENT_PATTERN = /^[A-Za-z_]\w*=/;

/** The shell variables that a text sets and uses. */
export class ShellVariables {
  /** Defaults after `:-` that were used, by variable. */
  readonly assumed = new Map<string, string>();
  private readonly values = new Map<string, string>();
  private readonly filledIn = new Set<string>();
  private lettersFilledIn = 0;
  /** Names given to expansions that only a shell can evaluate, by their source text. */
  private readonly unknown = new Map<string, string>();
  private readonly taken = new Set<string>();
  /** For each name that more than one expansion wanted, the last number appended to it. */
  private readonly lastNumbers = new Map<string, number>();

  /** Reads the values of a command that only sets variables. */
  assignFrom(words: readonly string[]): void {
    for (const [name, value] of parseAssignments(words)) this.values.set(name, value);
  }

  /** Returns whether a command only sets variables that are all used later. */
  isFilledIn(words: readonly string[]): boolean {
    const names = parseAssignments(words).map(([name]) => name);
    return names.length > 0 && names.every((name) => this.filledIn.has(name));
  }

  /**
   * Returns the value of a variable, or else its default. Returns null for a secret or an unknown value, which Holdfast asks for when the
   * plan runs.
   */
  valueOf(name: string, otherwise: string | null): string | null {
    const value = isSecretField(name) ? null : (this.values.get(name) ?? otherwise);
    if (value === null || this.lettersFilledIn + value.length > MAX_EXPANDED_LETTERS) return null;
    if (!this.values.has(name)) this.assumed.set(name, value);
    this.filledIn.add(name);
    this.lettersFilledIn += value.length;
    return value;
  }

  /** Returns a unique name for an expansion that only a shell can evaluate. The same source text gets the same name. */
  nameFor(source: string, wanted: string): string {
    const known = this.unknown.get(source);
    if (known !== undefined) return known;
    let number = this.lastNumbers.get(wanted) ?? 1;
    const name = freeName(
      number === 1 ? wanted : `${wanted}_${number}`,
      (one) => this.taken.has(one) || this.values.has(one),
      () => `${wanted}_${(number += 1)}`,
    );
    this.lastNumbers.set(wanted, number);
    this.taken.add(name);
    this.unknown.set(source, name);
    return name;
  }
}

/** Returns names and values of a command that only sets variables; empty for other commands. */
function parseAssignments(words: readonly string[]): (readonly [name: string, value: string])[] {
  const own = /^(export|set|readonly|declare)$/.test(words[0] ?? '') ? words.slice(1) : words;
  if (own.length === 0 || !own.every((word) => ASSIGNMENT_PATTERN.test(word))) return [];
  return own.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const);
}

/** What a shell would insert for `$…` or a backtick. */
type Expansion =
  /** The character has no special meaning. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** The default of `${name:-otherwise}`; null if there is none. */
      readonly otherwise: string | null;
      readonly length: number;
    }
  /** Only a shell can evaluate the expansion. `name` is the variable whose value a person is asked for instead. */
  | { readonly kind: 'unknown'; readonly what: string; readonly why: string; readonly name: string; readonly length: number };

/** Reason that is given for a command substitution, which is never run. */
export const COMMAND_SUBSTITUTION_REASON = 'a command substitution; the command was not run';

/** Reads the expansion that begins at `at` with `$` or a backtick. */
export function parseExpansion(text: string, at: number): Expansion {
  const next = text.charAt(at + 1);
  if (text.charAt(at) === '`' || next === '(') {
    const isTick = next !== '(' || text.charAt(at) === '`';
    const end = isTick ? text.indexOf('`', at + 1) : findClosing(text, at + 1);
    const content = text.slice(at + (isTick ? 1 : 2), end < 0 ? text.length : end);
    const word = /[A-Za-z_]\w{0,39}/.exec(content.slice(0, 100))?.[0] ?? 'command';
    const length = Math.min(text.length, end < 0 ? text.length : end + 1) - at;
    return { kind: 'unknown', what: isTick ? '`…`' : '$(…)', why: COMMAND_SUBSTITUTION_REASON, name: `output_of_${word}`, length };
  }
  if (next === '{') return parseBraced(text, at);
  const [name = ''] = /^[A-Za-z_]\w{0,59}/.exec(text.slice(at + 1, at + 61)) ?? [];
  if (name !== '') return { kind: 'variable', name, otherwise: null, length: name.length + 1 };
  return /[\d@*#?!$-]/.test(next) ? unknown(`$${next}`, next, 2) : { kind: 'none' };
}

function parseBraced(text: string, at: number): Expansion {
  const end = text.indexOf('}', at);
  const length = (end < 0 ? text.length : end + 1) - at;
  const content = end < 0 ? '' : text.slice(at + 2, end);
  const [, name = '', operator = '', word = ''] = /^([A-Za-z_]\w{0,59}|[\d@*]\d{0,2})(?:(:?[-=]|:?\?)([^]*))?$/.exec(content) ?? [];
  if (name === '' || /[$`"'\\{]/.test(word)) return unknown('${…}', content, length);
  const otherwise = /[-=]/.test(operator) ? word : null;
  if (/^\w+$/.test(name) && (otherwise !== null || !/^\d/.test(name))) return { kind: 'variable', name, otherwise, length };
  return unknown(`\${${name}}`, name, length);
}

function unknown(what: string, named: string, length: number): Expansion {
  const [word = ''] = /\w+/.exec(named.slice(0, 60)) ?? [];
  const name = /^\d*$/.test(word) ? `argument${word === '' ? '' : `_${word}`}` : word;
  return { kind: 'unknown', what, why: 'something that only a shell can expand', name, length };
}

/** Returns the position of the bracket that closes the one at `from`; the length of the text if there is none. */
function findClosing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === '(') depth += 1;
    if (text.charAt(at) === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** Alternatives of one pair of braces in a word: its position in the word, and the texts that replace it. */
export interface Choices {
  readonly at: number;
  readonly values: readonly string[];
}

/** Matches `{a,b}`, `{1..10}`, `{01..10..3}` and `{a..e}`, without nested quotes, variables or braces. */
const BRACES_PATTERN =
  /\{(?:([^\s{}'"`$\\]{0,500},[^\s{}'"`$\\]{0,500})|(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.-?(\d{1,9}))?|([A-Za-z])\.\.([A-Za-z]))\}/y;
/** Maximum number of words of one expansion. Later checks report a command of this size as too large. */
const MAX_WORDS = 1_000;

/** Returns the alternatives of braces at a position of a text, and the length of the braces; null if bash does not expand them. */
export function parseBraces(text: string, at: number): { readonly values: readonly string[]; readonly length: number } | null {
  BRACES_PATTERN.lastIndex = at;
  const [whole, list, from = '', to = '', by = '1', first, last = ''] = BRACES_PATTERN.exec(text) ?? [];
  if (whole === undefined) return null;
  const { length } = whole;
  if (list !== undefined) return { values: list.split(','), length };
  if (first !== undefined)
    return { values: sequence(first.charCodeAt(0), last.charCodeAt(0), 1).map((code) => String.fromCharCode(code)), length };
  const width = [from, to].some((end) => /^-?0\d/.test(end)) ? Math.max(from.length, to.length) : 0;
  const padded = (number: number): string =>
    `${number < 0 ? '-' : ''}${String(Math.abs(number)).padStart(width - (number < 0 ? 1 : 0), '0')}`;
  return { values: sequence(Number(from), Number(to), Math.max(1, Number(by))).map(padded), length };
}

/** Returns at most {@link MAX_WORDS} numbers from one to another in steps, up or down. */
export function sequence(from: number, to: number, by: number): number[] {
  const count = Math.min(MAX_WORDS, Math.floor(Math.abs(to - from) / by) + 1);
  return Array.from({ length: count }, (_, index) => from + index * by * Math.sign(to - from));
}

/** Returns the words that bash makes of a word with braces, in the order of bash: the last braces vary fastest. */
export function wordsOfBraces(word: string, choices: readonly Choices[]): string[] {
  let words = [''];
  let begin = 0;
  for (const { at, values } of choices) {
    const between = word.slice(begin, at);
    // Further words would exceed the limit together with the values.
    const kept = words.slice(0, Math.ceil(MAX_WORDS / values.length));
    words = kept.flatMap((one) => values.map((value) => `${one}${between}${value}`)).slice(0, MAX_WORDS);
    begin = at;
  }
  return words.map((one) => one + word.slice(begin));
}
