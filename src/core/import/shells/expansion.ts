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

/** Reads the text of `$'…'` with its escapes; browsers copy bodies in this form. `from`: after the opening quote. `next`: after the closing one. */
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

/** Maximum total length of expanded values. Values can contain each other and grow exponentially. */
const MAX_EXPANDED_LETTERS = 100_000;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The shell variables that a text sets and uses. */
export class ShellVariables {
  /** Defaults after `:-` that were used. */
  readonly assumed = new Map<string, string>();
  private readonly values = new Map<string, string>();
  private readonly filledIn = new Set<string>();
  private lettersFilledIn = 0;
  /** Names for expansions that only a shell can evaluate, by their source text. */
  private readonly unknown = new Map<string, string>();
  private readonly taken = new Set<string>();
  /** The last number appended to each name that more than one expansion wanted. */
  private readonly lastNumbers = new Map<string, number>();

  /** Reads the values of a command that only sets variables. */
  setBy(words: readonly string[]): void {
    for (const [name, value] of assigned(words)) this.values.set(name, value);
  }

  /** Whether a command only sets variables, all of which are used later. */
  isFilledIn(words: readonly string[]): boolean {
    const names = assigned(words).map(([name]) => name);
    return names.length > 0 && names.every((name) => this.filledIn.has(name));
  }

  /** Returns the value of a variable, or else its default. null for a secret or an unknown value, which is requested when the plan runs. */
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

/** Returns names and values of a command that only sets variables; empty for other commands. */
function assigned(words: readonly string[]): (readonly [name: string, value: string])[] {
  const own = /^(export|set|readonly|declare)$/.test(words[0] ?? '') ? words.slice(1) : words;
  if (own.length === 0 || !own.every((word) => ASSIGNMENT.test(word))) return [];
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
  /** Only a shell can evaluate the expansion. `name` is the variable that a person is asked for instead. */
  | { readonly kind: 'unknown'; readonly what: string; readonly why: string; readonly name: string; readonly length: number };

const ONLY_A_SHELL = 'something that only a shell can expand';
/** Reason for a command substitution, which is never run. */
export const PRINTED = 'a command substitution; the command was not run';

/** Reads the expansion that begins at `at` with `$` or a backtick. */
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

/** Returns the position of the closing bracket for the one at `from`; the length of the text if it is missing. */
function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === '(') depth += 1;
    if (text.charAt(at) === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}
