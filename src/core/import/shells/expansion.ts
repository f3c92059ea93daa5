import { getOwn } from '#core/base/ownMembers.ts';
import { isSecretField } from '#core/plan/secretShapes.ts';

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

/** What `$'…'` means, in which bash reads escapes; browsers copy bodies that way. `from` is behind the opening quote, `next` behind the closing one. */
export function readAnsiQuote(text: string, from: number): { readonly read: string; readonly next: number; readonly isClosed: boolean } {
  let read = '';
  let at = from;
  while (at < text.length) {
    const letter = text.charAt(at);
    if (letter === "'") return { read, next: at + 1, isClosed: true };
    if (letter === '\\') {
      const escaped = escapeAt(text, at + 1);
      read += escaped.read;
      at += 1 + escaped.length;
    } else {
      read += letter;
      at += 1;
    }
  }
  return { read, next: at, isClosed: false };
}

function escapeAt(text: string, at: number): { read: string; length: number } {
  const rest = text.slice(at, at + 9);
  const code = /^(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|([0-7]{1,3}))/.exec(rest);
  if (code === null) return { read: getOwn(ESCAPES, rest.charAt(0)) ?? rest.charAt(0), length: 1 };
  const value = code[4] === undefined ? Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16) : Number.parseInt(code[4], 8);
  if (value > 0x10_ffff) return { read: '', length: code[0].length };
  return { read: rest.startsWith('u') ? String.fromCharCode(value) : String.fromCodePoint(value), length: code[0].length };
}

/** Letters that values may bring in: they may hold each other. */
const MOST_FILLED_IN = 100_000;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The variables of the shell that a text sets and asks for. */
export class ShellVariables {
  /** Values that stand behind `:-` and were taken. */
  readonly assumed = new Map<string, string>();
  private readonly values = new Map<string, string>();
  private readonly filledIn = new Set<string>();
  private lettersFilledIn = 0;
  /** Names that stand for what only a shell knows, by its text. */
  private readonly unknown = new Map<string, string>();
  private readonly taken = new Set<string>();
  /** The last number behind each name that more than one text wanted. */
  private readonly lastNumbers = new Map<string, number>();

  /** Takes the values of a command that does nothing but set variables. */
  setBy(words: readonly string[]): void {
    for (const [name, value] of assigned(words)) this.values.set(name, value);
  }

  /** Whether a command does nothing but set variables, and their values were put where they are asked for. */
  isFilledIn(words: readonly string[]): boolean {
    const names = assigned(words).map(([name]) => name);
    return names.length > 0 && names.every((name) => this.filledIn.has(name));
  }

  /** The value that was given to it before, or what is said to stand `otherwise`; null for a secret, and for what is not known: it is asked for when the plan runs. */
  valueOf(name: string, otherwise: string | null): string | null {
    const value = isSecretField(name) ? null : (this.values.get(name) ?? otherwise);
    if (value === null || this.lettersFilledIn + value.length > MOST_FILLED_IN) return null;
    if (!this.values.has(name)) this.assumed.set(name, value);
    this.filledIn.add(name);
    this.lettersFilledIn += value.length;
    return value;
  }

  /** A name that nothing else has, for what only a shell knows; the same for the same text. */
  nameFor(source: string, wanted: string): string {
    const known = this.unknown.get(source);
    if (known !== undefined) return known;
    let name = wanted;
    let number = this.lastNumbers.get(wanted) ?? 1;
    while (this.taken.has(name) || this.values.has(name)) {
      number += 1;
      name = `${wanted}_${number}`;
    }
    this.lastNumbers.set(wanted, number);
    this.taken.add(name);
    this.unknown.set(source, name);
    return name;
  }
}

/** Names and values of a command that only sets variables; none of another one. */
function assigned(words: readonly string[]): (readonly [name: string, value: string])[] {
  const own = /^(export|set|readonly|declare)$/.test(words[0] ?? '') ? words.slice(1) : words;
  if (own.length === 0 || !own.every((word) => ASSIGNMENT.test(word))) return [];
  return own.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const);
}

/** What a shell would put in the place of something that begins with `$` or a backtick. */
type Expansion =
  /** The sign is a letter like others. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** `${name:-otherwise}`: null without. */
      readonly otherwise: string | null;
      readonly length: number;
    }
  /** Only a shell knows it; `name` is what a person is asked for instead. */
  | { readonly kind: 'unknown'; readonly what: string; readonly why: string; readonly name: string; readonly length: number };

const ONLY_A_SHELL = 'something that only a shell can expand';
/** What a command in a command would have printed. */
export const PRINTED = 'a command substitution; the command was not run';

/** Reads what begins at `at`, a `$` or a backtick. */
export function expansionAt(text: string, at: number): Expansion {
  if (text.charAt(at) === '`') {
    const end = text.indexOf('`', at + 1);
    return printed('`…`', text.slice(at + 1, end < 0 ? text.length : end), (end < 0 ? text.length : end + 1) - at);
  }
  const next = text.charAt(at + 1);
  if (next === '(') {
    const end = closing(text, at + 1);
    return printed('$(…)', text.slice(at + 2, end), Math.min(text.length, end + 1) - at);
  }
  if (next === '{') return braced(text, at);
  const [name = ''] = /^[A-Za-z_]\w{0,59}/.exec(text.slice(at + 1, at + 61)) ?? [];
  if (name !== '') return { kind: 'variable', name, otherwise: null, length: name.length + 1 };
  if (/[\d@*#?!$-]/.test(next)) return unknown(`$${next}`, next, 2);
  return { kind: 'none' };
}

function braced(text: string, at: number): Expansion {
  const end = text.indexOf('}', at);
  const length = (end < 0 ? text.length : end + 1) - at;
  const inside = end < 0 ? '' : text.slice(at + 2, end);
  const [, name = '', operator = '', word = ''] = /^([A-Za-z_]\w{0,59}|[\d@*]\d{0,2})(?:(:?[-=]|:?\?)([^]*))?$/.exec(inside) ?? [];
  if (name === '' || /[$`"'\\{]/.test(word)) return unknown('${…}', inside, length);
  const otherwise = /[-=]/.test(operator) ? word : null;
  if (/^\w+$/.test(name) && (otherwise !== null || !/^\d/.test(name))) return { kind: 'variable', name, otherwise, length };
  return unknown(`\${${name}}`, name, length);
}

function unknown(what: string, named: string, length: number): Expansion {
  const word = /\w+/.exec(named.slice(0, 60))?.[0] ?? '';
  return { kind: 'unknown', what, why: ONLY_A_SHELL, name: /^\d*$/.test(word) ? `argument${word === '' ? '' : `_${word}`}` : word, length };
}

function printed(what: string, command: string, length: number): Expansion {
  const word = /[A-Za-z_]\w{0,39}/.exec(command.slice(0, 100))?.[0] ?? 'command';
  return { kind: 'unknown', what, why: PRINTED, name: `output_of_${word}`, length };
}

/** Where the bracket is closed that is opened at `from`; the end of the text where it is not. */
function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === '(') depth += 1;
    if (text.charAt(at) === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}
