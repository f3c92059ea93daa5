import { parseJson, isBlock } from '#core/base/json.ts';
import { METHODS } from '#core/plan/schema/plan.ts';
import type { Draft } from '../draft.ts';
import { formText } from '../requestParts.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { secondsOfUnit } from './amounts.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';

const MAX_DEPTH = 20;
const MAX_INDEX = 1_000;

const END = Symbol('end');
/** A step into a value: the name of a member, an index, or the end of a list. */
type Part = string | number | typeof END;

/**
 * Builds the JSON of HTTPie’s items: `user[name]`, `list[]` (the next item) and `list[0]`; a name that begins with `[` is about the whole
 * body. Returns null for names that contradict each other or are not closed.
 */
function buildNested(items: readonly (readonly [name: string, value: unknown])[]): unknown {
  let root: unknown;
  for (const [name, value] of items) {
    const parts = parseParts(name);
    const next = parts === null ? null : setAt(root, parts, value);
    if (next === null) return null;
    root = next.value;
  }
  return root ?? null;
}

function parseParts(name: string): Part[] | null {
  const [, root = '', rest = ''] = /^([^[\]]*)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  if (root === '' && rest === '') return null;
  const inner = [...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']): Part =>
    key === '' ? END : /^\d{1,6}$/.test(key) ? Number(key) : key,
  );
  const parts = root === '' ? inner : [root, ...inner];
  const isBounded = parts.length <= MAX_DEPTH && parts.every((part) => typeof part !== 'number' || part <= MAX_INDEX);
  return isBounded ? parts : null;
}

/** Returns the value with one part set, wrapped in an object; null if the parts contradict the value. */
function setAt(before: unknown, [part, ...rest]: readonly Part[], value: unknown): { readonly value: unknown } | null {
  if (part === undefined) return { value };
  if (typeof part === 'string') {
    if (before !== undefined && !isBlock(before)) return null;
    const block: Record<string, unknown> = before ?? {};
    const inner = setAt(getOwn(block, part), rest, value);
    if (inner !== null) setOwn(block, part, inner.value);
    return inner === null ? null : { value: block };
  }
  if (before !== undefined && !Array.isArray(before)) return null;
  const list: unknown[] = before ?? [];
  const index = part === END ? list.length : part;
  const inner = index > MAX_INDEX ? null : setAt(list[index], rest, value);
  if (inner === null) return null;
  while (list.length < index) list.push(null);
  list[index] = inner.value;
  return { value: list };
}

// Converts special syntax of some programs to options of their tables.

/** Splits a curl command at `--next`: each section is a request with its own options. */
export function splitCurl(_draft: Draft, command: ToolCommand): ToolCommand[] {
  const sections: string[][] = [[]];
  for (const word of command.words) {
    if (word === '--next' || word === '-:') sections.push([]);
    else sections.at(-1)?.push(word);
  }
  return sections.filter((words, index) => words.length > 0 || index === 0).map((words) => ({ ...command, words }));
}

/** Converts the arguments of siege: `-t` without a unit is in minutes, and one argument contains address, method and body. */
export function translateSiege(_draft: Draft, command: ToolCommand): ToolCommand[] {
  const given = command.words.values();
  const words: string[] = [];
  for (const word of given) {
    const [, option, attached = ''] = /^(-t|--time)(?:=?(.*))$/.exec(word) ?? [];
    const [, address, method, body] = /^(\S+)\s+(POST|PUT|PATCH|DELETE)(?:\s+([^]*))?$/.exec(word) ?? [];
    const time = attached || (option === undefined ? '' : (given.next().value ?? ''));
    if (option !== undefined) words.push('-t', /^\d+$/.test(time) ? `${time}m` : time);
    else if (address === undefined || method === undefined) words.push(word);
    else words.push(address, '--method', method, ...(body === undefined ? [] : ['--body', body.trim()]));
  }
  return [{ ...command, words }];
}

/** Splits a vegeta command by the targets on its standard input: method and address on one line, headers below, and `@file` for a body. */
export function splitVegeta(draft: Draft, command: ToolCommand): ToolCommand[] {
  const words = command.words.flatMap((word, index) => {
    if (word === 'attack' && index === 0) return [];
    const [, begin = '', count = '', every = ''] = /^(--?rate=)?(\d+)\/(\d*[a-z]+)$/.exec(word) ?? [];
    return count === '' ? [word] : [`${begin}${perSecond(Number(count), every)}`];
  });
  const kept = words.filter((word) => !/^--?(?:rate|duration)=0s?$/.test(word));
  if (kept.length < words.length)
    draft.noteChanged(
      'attack',
      'A rate or a duration of 0 has no end.',
      'The plan uses the defaults: 50 requests a second, and 60 seconds.',
    );
  const text = command.input?.kind === 'text' ? command.input.text : '';
  const targets = text.split(/\n(?=\s*[A-Z]+\s+\S)/).slice(0, 200);
  const split = targets.flatMap((target): ToolCommand[] => {
    const [line = '', ...below] = target
      .trim()
      .split('\n')
      .map((one) => one.trim());
    const [, method, address] = /^([A-Z]+)\s+(\S+)$/.exec(line) ?? [];
    if (method === undefined || address === undefined) return [];
    const headers = below.flatMap((one) => (one === '' || one.startsWith('@') ? [] : ['-header', one]));
    const body = below.find((one) => one.startsWith('@'));
    const own = [...kept, '-X', method, ...headers, ...(body === undefined ? [] : ['-body', body.slice(1).trim()]), address];
    return [{ ...command, words: own, input: null }];
  });
  return split.length === 0 ? [{ ...command, words: kept }] : split;
}

function perSecond(count: number, every: string): number {
  const [, number = '', unit = ''] = /^(\d*)(ms|s|m|h)$/.exec(every) ?? [];
  return Math.round((count / ((number === '' ? 1 : Number(number)) * (secondsOfUnit(unit) ?? 1))) * 1_000) / 1_000;
}

const ADD_TO_BODY_HINT = 'Add it to the body of the plan.';

/** Matches the separator of name and value in an HTTPie item. The earliest match counts, and the longest at the same position. */
const ITEM_SEPARATOR_PATTERN = /:=@|=@|==|:=|:|=|@/;
const HTTPIE_VALUE_OPTIONS =
  /^(?:-[aAopsSC]|--(?:auth|auth-type|timeout|verify|max-redirects|proxy|cert|cert-key|raw|print|pretty|style|output|session|session-read-only|boundary|ssl|ciphers|max-headers|default-scheme|bearer|format-options|response-mime|response-charset|http-version|resolve|interface))$/;

/** Converts items of HTTPie and xh after the address: `name=value` (member), `name:value` (header), `name==value` (parameter). */
export function translateHttpie(draft: Draft, command: ToolCommand): ToolCommand[] {
  const given = command.words.values();
  const options: string[] = [];
  const positional: string[] = [];
  for (const word of given) {
    if (!word.startsWith('-') || word === '-') positional.push(word);
    else options.push(word, ...(HTTPIE_VALUE_OPTIONS.test(word) ? [given.next().value ?? ''] : []));
  }
  const named = METHODS.find((method) => method === positional[0]?.toUpperCase());
  const [written = '', ...items] = named === undefined ? positional : positional.slice(1);
  const words = translateBearer(options.filter((option) => !/^(?:-f|--form|--multipart)$/.test(option)));
  const data: (readonly [name: string, value: unknown])[] = [];
  const query: string[] = [];
  const files: string[] = [];
  for (const item of items) {
    const { 0: separator, index: at = item.length } = ITEM_SEPARATOR_PATTERN.exec(item.replaceAll(/\\[:=@;]/g, '__')) ?? {};
    const name = item.slice(0, at).replaceAll(/\\(?=[:=@;])/g, '');
    const value = item.slice(at + (separator?.length ?? 0));
    if (separator === undefined) draft.noteLeftOut(item.slice(0, 60), 'This is not an item of HTTPie.');
    else if (separator === ':') words.push('-H', value === '' ? `${name};` : `${name}: ${value}`);
    else if (separator === '==') query.push(`${formText(name)}=${formText(value)}`);
    else if (separator === '@') files.push('--part', `${name}=@${value}`);
    else if (separator.endsWith('@')) draft.noteLeftOut(item.slice(0, 60), 'A value is in a file.', ADD_TO_BODY_HINT);
    else data.push([name, separator === ':=' ? (parseJson(value) ?? value) : value]);
  }
  const isForm = options.some((option) => option === '-f' || option === '--form');
  const nested = data.some(([name]) => /[[\]]/.test(name)) ? buildNested(data) : Object.fromEntries(data);
  const form = data.map(([name, value]) => [name, String(value)] as const);
  if (files.length > 0 || options.includes('--multipart'))
    words.push(...form.flatMap(([name, value]) => ['--form-string', `${name}=${value}`]), ...files);
  else if (data.length > 0 && isForm)
    words.push('--urlencoded', form.map(([name, value]) => `${formText(name)}=${formText(value)}`).join('&'));
  else if (data.length > 0 && nested === null)
    draft.noteLeftOut('items', 'The names of members contradict each other, or a bracket is missing.', ADD_TO_BODY_HINT);
  else if (data.length > 0) words.push('--json-body', JSON.stringify(nested));
  else if (command.input !== null && !options.includes('--raw')) words.push('--data-binary', '@-');
  if (named !== undefined) words.push('--method', named);
  const host = written.startsWith(':') ? `localhost${written.replace(/^:(?=\/|$)/, '')}` : written;
  const scheme = command.name === 'https' || command.name === 'xhs' ? 'https' : 'http';
  const address = /^https?:\/\//i.test(host) ? host : `${scheme}://${host}`;
  const joined = query.length === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${query.join('&')}`;
  return [{ ...command, words: written === '' ? words : [...words, joined] }];
}

/** Converts `-A bearer -a TOKEN` to `--bearer TOKEN`. */
function translateBearer(options: readonly string[]): string[] {
  const type = options.findIndex((option) => option === '-A' || option === '--auth-type');
  if (type < 0 || options[type + 1] !== 'bearer') return [...options];
  return options.toSpliced(type, 2).map((option) => (option === '-a' || option === '--auth' ? '--bearer' : option));
}
