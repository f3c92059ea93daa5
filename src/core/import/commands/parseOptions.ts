import { getOwn } from '#core/base/ownMembers.ts';
import type { Draft } from '../draft.ts';
import type { Field, Meaning, Switch } from './meaning.ts';
import type { Tool } from './tools.ts';

export interface Given {
  readonly option: string;
  readonly value: string;
}

export const NO_ADDRESS = 'This is not an http or https address.';

/** An error that makes a command unreadable. */
export interface Problem {
  readonly option: string;
  readonly message: string;
  readonly hint: string;
}

/** The options of a command, by their purpose. */
export interface Parsed {
  readonly fields: ReadonlyMap<Field, readonly Given[]>;
  readonly switches: ReadonlySet<Switch>;
  /** Bodies in order. */
  readonly bodies: readonly (Given & { readonly field: Field })[];
  /** Errors in the options, such as missing values. */
  readonly problems: readonly Problem[];
}

const BODY_FIELDS: ReadonlySet<Field> = new Set<Field>(['data', 'dataRaw', 'dataBinary', 'dataEncoded', 'json', 'part', 'partText']);

/** Reads the words after a program’s name. Adds a note for each option that plans do not support. */
export function parseOptions(draft: Draft, words: readonly string[], tool: Tool): Parsed {
  const fields = new Map<Field, Given[]>();
  const bodies: (Given & { field: Field })[] = [];
  const switches = new Set<Switch>();
  const problems: Problem[] = [];
  const give = (field: Field, given: Given): void => {
    const list = fields.get(field);
    if (list) list.push(given);
    else fields.set(field, [given]);
    if (BODY_FIELDS.has(field)) bodies.push({ ...given, field });
  };
  const take = (option: string, meaning: Meaning | undefined, value: string): void => {
    switch (meaning?.kind) {
      case undefined:
        draft.leftOut(
          option.slice(0, 60),
          value === '' ? 'This option is unknown.' : `This option is unknown, and so is “${value.slice(0, 40)}” after it.`,
        );
        return;
      case 'none':
        draft.leftOut(option, meaning.what, meaning.instead);
        return;
      case 'switch':
        switches.add(meaning.does);
        return;
      case 'field':
        give(meaning.field, { option, value });
        return;
      case 'output':
        return;
      default:
        meaning satisfies never;
    }
  };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') continue;
    if (!word.startsWith('-') || word === '-') {
      give('address', { option: '', value: word });
      continue;
    }
    for (const [option, attached] of splitOptions(word, tool)) {
      const meaning = meaningOf(option, tool);
      if (!takesValue(meaning)) {
        const next = words[index + 1];
        // The word after an unknown option counts as its value, unless it is an option or an address. Otherwise it would become the server.
        const isValue = meaning === undefined && next !== undefined && !next.startsWith('-') && !/^https?:\/\//i.test(next);
        if (isValue && attached === null) index += 1;
        take(option, meaning, attached ?? (isValue ? next : ''));
        continue;
      }
      if (attached === null && words[index + 1] === '[') {
        // In autocannon, brackets contain options of another program.
        const end = words.indexOf(']', index);
        index = end < 0 ? words.length : end;
        take(option, meaning, '[…]');
        continue;
      }
      const value = attached ?? words[(index += 1)];
      if (value === undefined)
        problems.push({
          option,
          message: `The value of ${option} is missing.`,
          hint: 'The command was probably copied incompletely.',
        });
      else take(option, meaning, value);
    }
  }
  return { fields, switches, bodies, problems };
}

/** Whether an option has a value. */
export function takesValue(meaning: Meaning | undefined): boolean {
  if (!meaning || meaning.kind === 'switch') return false;
  return meaning.kind !== 'none' || meaning.hasValue;
}

/** Returns the meaning of an option. curl accepts an unambiguous beginning of a long option. */
function meaningOf(option: string, tool: Tool): Meaning | undefined {
  const known = tool.options.get(option) ?? negated(option, tool);
  if (known !== undefined || !tool.shortens || !/^--[a-z]/.test(option)) return known;
  const meanings = new Set([...tool.options].filter(([name]) => name.startsWith(option)).map(([, meaning]) => meaning));
  return meanings.size === 1 ? [...meanings][0] : undefined;
}

/** Returns the meaning of `--no-…`, which turns a switch off. */
function negated(option: string, tool: Tool): Meaning | undefined {
  const meaning = option.startsWith('--no-') ? tool.options.get(`--${option.slice(5)}`) : undefined;
  return meaning?.kind === 'switch' ? { kind: 'switch', does: 'nothing' } : undefined;
}

/** Splits options in one word: `--connections=10` and `-c10` contain a value, `-kc10` two options, and `-c` no value. */
function splitOptions(word: string, tool: Tool): [option: string, attached: string | null][] {
  if (word.startsWith('--') || tool.singleDashWords) {
    const name = tool.singleDashWords ? word.replace(/^--/, '-') : word;
    const equals = name.indexOf('=');
    return [equals < 0 ? [name, null] : [name.slice(0, equals), name.slice(equals + 1)]];
  }
  const options: [string, string | null][] = [];
  for (let at = 1; at < word.length; at += 1) {
    const option = `-${word[at] ?? ''}`;
    const meaning = tool.options.get(option);
    const attached = word.slice(at + 1);
    if (takesValue(meaning)) return [...options, [option, attached === '' ? null : attached]];
    options.push([meaning === undefined ? `-${word.slice(at)}` : option, null]);
    if (!meaning) return options;
  }
  return options;
}

/** Numbers and times as the tools read them; null for what is none. */

export function wholeNumber(text: string): number | null {
  // wrk takes 1k and 1M.
  const parts = /^(\d{1,12})(\.\d{1,6})?([km])?$/i.exec(text.trim());
  if (!parts) return null;
  const number = Number(`${parts[1] ?? ''}${parts[2] ?? ''}`) * (getOwn({ k: 1_000, m: 1_000_000 }, (parts[3] ?? '').toLowerCase()) ?? 1);
  return Number.isInteger(number) ? number : null;
}

/** Returns a rate above 0; null for other texts. */
export function rateOf(text: string): number | null {
  const parts = /^(\d{1,9}(?:\.\d{1,9})?)(k?)$/i.exec(text.trim());
  const rate = parts ? Number(parts[1]) * (parts[2] === '' ? 1 : 1_000) : 0;
  return rate > 0 ? rate : null;
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  sec: 1,
  secs: 1,
  second: 1,
  seconds: 1,
  m: 60,
  min: 60,
  mins: 60,
  minute: 60,
  minutes: 60,
  h: 3_600,
  hour: 3_600,
  hours: 3_600,
  d: 86_400,
};

/** Converts `30`, `30s`, `2m`, `1m30s`, `1h` or `500ms` to seconds; null for other texts. */
export function durationSeconds(text: string): number | null {
  const compact = text.trim().toLowerCase().replaceAll(/\s+/g, '');
  if (compact === '' || compact.length > 40) return null;
  let seconds = 0;
  let position = 0;
  for (const match of compact.matchAll(/(\d{1,12}(?:\.\d{1,9})?)([a-z]*)/g)) {
    const [whole, number = '', unit = ''] = match;
    if (match.index !== position) return null;
    const factor = unit === '' && whole.length === compact.length ? 1 : getOwn(UNITS, unit);
    if (factor === undefined) return null;
    seconds += Number(number) * factor;
    position += whole.length;
  }
  return position === compact.length ? Math.round(seconds * 1_000) / 1_000 : null;
}
