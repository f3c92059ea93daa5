import { hasPlaceholders } from '#core/plan/secrets.ts';
import { escapePlaceholders, unescapePlaceholders } from '#core/import/placeholders.ts';
import type { Node } from './syntax.ts';

export interface List {
  readonly kind: 'list';
  readonly items: Value[];
}

export interface Dictionary {
  readonly kind: 'dictionary';
  readonly entries: [Value, Value][];
}

/** A value that is unknown before a run; `what` says why. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly what: string;
}

/** A value of a program. Strings are plan text: they may have placeholders, and literal text has passed through `escapePlaceholders`. */
export type Value =
  | string
  | number
  | boolean
  | null
  | List
  | Dictionary
  | Unknown
  /** The test object. */
  | { readonly kind: 'self' }
  /** The body of the last response. */
  | { readonly kind: 'body' }
  | { readonly kind: 'data'; readonly type: string; readonly text: string }
  | { readonly kind: 'upload'; readonly file: string }
  | { readonly kind: 'function'; readonly made: Node; readonly self: boolean }
  | { readonly kind: 'member'; readonly of: Value; readonly name: string }
  /** A module, class or function that the program does not define. */
  | { readonly kind: 'outside'; readonly name: string };

export interface GivenArguments {
  readonly values: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** Handles calls to functions that the program does not define, and statements whose effect only a run shows. */
export interface OutsideCalls {
  /** Handles a method of the test that the program does not define. Returns null without a result, as does `callFunction`. */
  callOnTest(name: string, args: GivenArguments, line: number): Value | null;
  callFunction(name: string, args: GivenArguments, line: number): Value | null;
  /** Notes a condition whose value only a run shows. The interpreter takes its first branch. */
  noteCondition(line: number, what: string): void;
  noteAssertion(test: Value | 'unread', line: number): void;
  /** Handles an assertion that the last response contains a text, or does not if `isThere` is false. */
  checkBody(text: Value, isThere: boolean, line: number): void;
  /** Runs iterations until `iterate` returns false, and merges consecutive equal iterations into a repetition. */
  loop(iterations: number, iterate: (iteration: number) => boolean): void;
}

const MAX_TEXT_CHARACTERS = 100_000;
export const MAX_ITERATIONS = 1_000;
export const PART_OF_VALUE_TEXT = 'a part of a value';

export function unknown(what: string): Unknown {
  return { kind: 'unknown', what };
}

export function toList(items: readonly Value[]): List {
  return { kind: 'list', items: [...items] };
}

type Kind = Extract<Value, { readonly kind: string }>;

export function isKind<Name extends Kind['kind']>(value: Value | undefined, kind: Name): value is Extract<Kind, { readonly kind: Name }> {
  return typeof value === 'object' && value !== null && value.kind === kind;
}

export function isList(value: Value | undefined): value is List {
  return isKind(value, 'list');
}

export function isUnknown(value: Value | undefined): value is Unknown {
  return isKind(value, 'unknown');
}

/** Returns a string without placeholders, unescaped; null for anything else. */
export function plainText(value: Value | undefined): string | null {
  return typeof value === 'string' && !hasPlaceholders(value) ? unescapePlaceholders(value) : null;
}

/** Returns the result of `str`; null for a value without text. */
export function textOf(value: Value | undefined): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : null;
}

/** Returns the truth value; null if it is unknown. */
export function isTrue(value: Value): boolean | null {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object') return Boolean(value);
  if (value === null) return false;
  switch (value.kind) {
    case 'list':
      return value.items.length > 0;
    case 'dictionary':
      return value.entries.length > 0;
    case 'unknown':
    case 'body':
      return null;
    default:
      return true;
  }
}

/** Returns whether two values are equal; null if that is unknown. */
function areEqual(left: Value, right: Value): boolean | null {
  if (isUnknown(left) || isUnknown(right)) return null;
  if (isList(left) && isList(right)) {
    if (left.items.length !== right.items.length) return false;
    const each = left.items.map((item, index) => areEqual(item, right.items[index] ?? null));
    return each.includes(null) ? null : each.every(Boolean);
  }
  if (typeof left === 'object' && left !== null) return null;
  if (typeof left === 'string' && (hasPlaceholders(left) || (typeof right === 'string' && hasPlaceholders(right)))) return null;
  return left === right;
}

const NUMBER_OPERATORS = new Map<string, (left: number, right: number) => number | boolean>([
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', (left, right) => (Number.isInteger(left) && Number.isInteger(right) ? Math.floor(left / right) : left / right)],
  ['//', (left, right) => Math.floor(left / right)],
  ['%', (left, right) => left - right * Math.floor(left / right)],
  ['**', (left, right) => left ** right],
  ['<', (left, right) => left < right],
  ['>', (left, right) => left > right],
  ['<=', (left, right) => left <= right],
  ['>=', (left, right) => left >= right],
]);

/** Returns the result of an operator on two values. */
export function combine(sign: string, left: Value, right: Value): Value {
  if (sign === '==' || sign === 'is') return areEqual(left, right) ?? unknown('a comparison');
  if (sign === '!=' || sign === 'is not' || sign === '<>') return negate(areEqual(left, right));
  if (sign === 'in' || sign === 'not in') return sign === 'in' ? (isIn(left, right) ?? unknown('a comparison')) : negate(isIn(left, right));
  if (typeof left === 'number' && typeof right === 'number') {
    const made = NUMBER_OPERATORS.get(sign)?.(left, right);
    return made === undefined || (typeof made === 'number' && !Number.isFinite(made)) ? unknown('a calculation') : made;
  }
  if (typeof left === 'string') {
    if (sign === '%') return formatPercent(left, right);
    if (sign === '+' && typeof right === 'string') return boundedText(left + right);
    if (sign === '*' && typeof right === 'number' && left.length * right <= MAX_TEXT_CHARACTERS)
      return left.repeat(Math.max(0, Math.floor(right)));
  }
  if (sign === '+' && isList(left) && isList(right)) return toList([...left.items, ...right.items]);
  return unknown('a calculation');
}

function negate(value: boolean | null): Value {
  return value === null ? unknown('a comparison') : !value;
}

function isIn(item: Value, whole: Value): boolean | null {
  if (isList(whole)) {
    const found = new Set(whole.items.map((one) => areEqual(item, one)));
    return found.has(true) ? true : found.has(null) ? null : false;
  }
  const [part, text] = [plainText(item), plainText(whole)];
  return part === null || text === null ? null : text.includes(part);
}

function boundedText(text: string): Value {
  return text.length <= MAX_TEXT_CHARACTERS ? text : unknown('a very long text');
}

/** Formats with the `%` operator: `'%s/%03d' % (url, 7)`. */
function formatPercent(template: string, given: Value): Value {
  const values = isList(given) ? given.items : [given];
  let at = 0;
  let problem: Unknown | null = null;
  const text = template.replaceAll(
    /%(?:\(([^()]{1,100})\)|)([-0+ #]*)(\d{0,3})(?:\.(\d{1,2}))?([sdifruxX%])/g,
    (_, name?: string, flags = '', width = '', digits = '', kind = '') => {
      if (kind === '%') return '%';
      const value = name === undefined ? values[at++] : findEntry(given, escapePlaceholders(name));
      const written = typeof value === 'number' ? numberText(value, kind, digits) : textOf(value);
      if (written === null) problem ??= isUnknown(value) ? value : unknown('a text made of other values');
      return (written ?? '').padStart(Number(width), flags.includes('0') ? '0' : ' ');
    },
  );
  return problem ?? boundedText(text);
}

function numberText(value: number, kind: string, digits: string): string {
  if (kind === 'f') return value.toFixed(digits === '' ? 6 : Number(digits));
  if (kind === 'x' || kind === 'X') return Math.floor(value).toString(16);
  return kind === 'd' || kind === 'i' ? String(Math.trunc(value)) : String(value);
}

function findEntry(value: Value | undefined, key: Value): Value | undefined {
  if (!isKind(value, 'dictionary')) return undefined;
  return value.entries.findLast(([name]) => name === key)?.[1];
}

/** Returns the result of a string, list or dictionary method; undefined if it is unsupported or its string is unknown before a run. */
export function methodResult(of: Value, name: string, args: readonly Value[]): Value | undefined {
  if (typeof of === 'string') return textMethod(of, name, args);
  if (isList(of)) return listMethod(of, name, args);
  if (!isKind(of, 'dictionary')) return undefined;
  if (name === 'items' || name === 'iteritems') return toList(of.entries.map((entry) => toList(entry)));
  if (name === 'keys') return toList(of.entries.map(([key]) => key));
  if (name === 'values') return toList(of.entries.map(([, value]) => value));
  if (name === 'get') return findEntry(of, args[0] ?? null) ?? args[1] ?? null;
  return undefined;
}

function textMethod(of: string, name: string, args: readonly Value[]): Value | undefined {
  if (name === 'join' && isList(args[0])) {
    const texts = args[0].items.map((item) => (typeof item === 'string' ? item : null));
    return texts.includes(null) ? undefined : boundedText(texts.join(of));
  }
  if (name === 'encode' || name === 'decode') return of;
  if (name === 'format') return applyFormat(of, args);
  const text = plainText(of);
  const [first, second] = args.map((value) => plainText(value));
  if (text === null || first === null || second === null) return undefined;
  switch (name) {
    case 'strip':
      return escapePlaceholders(text.trim());
    case 'rstrip':
    case 'lstrip': {
      const letters = first ?? ' \t\n\r';
      let [from, to] = [0, text.length];
      if (name === 'lstrip') while (from < to && letters.includes(text[from] ?? '')) from += 1;
      else while (to > from && letters.includes(text[to - 1] ?? '')) to -= 1;
      return escapePlaceholders(text.slice(from, to));
    }
    case 'lower':
      return escapePlaceholders(text.toLowerCase());
    case 'upper':
      return escapePlaceholders(text.toUpperCase());
    case 'replace':
      return first === undefined || first === '' ? undefined : boundedText(escapePlaceholders(text.replaceAll(first, () => second ?? '')));
    case 'split':
      return toList((first === undefined ? text.trim().split(/\s+/) : text.split(first)).slice(0, 1_000).map(escapePlaceholders));
    case 'startswith':
      return text.startsWith(first ?? '');
    case 'endswith':
      return text.endsWith(first ?? '');
    case 'find':
      return text.indexOf(first ?? '');
    default:
      return undefined;
  }
}

function applyFormat(of: string, args: readonly Value[]): Value | undefined {
  let at = 0;
  const texts = args.map(textOf);
  const made = of.replaceAll(
    /(?<![{\\])\{(\d{0,2})\}(?!\})/g,
    (_, location: string) => texts[location === '' ? at++ : Number(location)] ?? '\0',
  );
  return made.includes('\0') ? undefined : boundedText(made);
}

function listMethod(of: List, name: string, args: readonly Value[]): Value | undefined {
  const [first, second] = args;
  if (name === 'append' && first !== undefined) of.items.push(first);
  else if (name === 'extend' && isList(first)) of.items.push(...first.items);
  else if (name === 'insert' && typeof first === 'number' && second !== undefined) of.items.splice(first, 0, second);
  else return undefined;
  return null;
}

/** Sets an item of a list or a dictionary; other values stay unchanged. */
export function setEntry(of: Value, key: Value, value: Value): void {
  if (isList(of) && typeof key === 'number' && key >= 0 && key < of.items.length) of.items[key] = value;
  if (!isKind(of, 'dictionary')) return;
  const known = of.entries.find(([name]) => name === key);
  if (known === undefined) of.entries.push([key, value]);
  else known[1] = value;
}

export function readItem(of: Value, at: Value): Value {
  if (isUnknown(of)) return of;
  if (isList(of) && typeof at === 'number') return of.items.at(at) ?? unknown('an item that is not there');
  const text = plainText(of);
  if (text !== null && typeof at === 'number') return escapePlaceholders(text.at(at) ?? '');
  return findEntry(of, at) ?? unknown('an item');
}

export function readSlice(of: Value, from: Value, to: Value): Value {
  if (typeof from !== 'number' || (to !== null && typeof to !== 'number')) return unknown(PART_OF_VALUE_TEXT);
  if (isList(of)) return toList(of.items.slice(from, to ?? undefined));
  const text = plainText(of);
  return text === null ? unknown('a part of a text') : escapePlaceholders(text.slice(from, to ?? undefined));
}

/** Returns the result of a built-in function of Python; undefined for any other function. */
export function callBuiltIn(name: string, values: readonly Value[]): Value | undefined {
  const [first, second, third] = values;
  switch (name) {
    case 'range':
    case 'xrange': {
      if (typeof first !== 'number' || (second !== undefined && typeof second !== 'number')) return undefined;
      const [from, to] = second === undefined ? [0, first] : [first, second];
      const by = typeof third === 'number' && third !== 0 ? third : 1;
      const count = Math.min(MAX_ITERATIONS, Math.max(0, Math.ceil((to - from) / by)));
      return toList(Array.from({ length: count }, (_, index) => from + index * by));
    }
    case 'len': {
      const text = plainText(first);
      if (text !== null) return text.length;
      return isList(first) ? first.items.length : undefined;
    }
    case 'str':
    case 'unicode':
      return textOf(first) ?? undefined;
    case 'int':
    case 'float': {
      const text = typeof first === 'number' ? String(first) : (plainText(first) ?? '');
      const number = text.trim() === '' ? NaN : Number(text);
      return Number.isFinite(number) ? (name === 'int' ? Math.trunc(number) : number) : undefined;
    }
    case 'list':
    case 'tuple':
      return isList(first) ? toList(first.items) : undefined;
    case 'dict':
      return values.length === 0 ? { kind: 'dictionary', entries: [] } : undefined;
    default:
      return undefined;
  }
}

/** Returns the negation of a truth value; unknown if the value is unknown. */
export function negateTruth(truth: boolean | null): Value {
  return truth === null ? unknown('a comparison') : !truth;
}
