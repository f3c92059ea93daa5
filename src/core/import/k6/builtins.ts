import { getOwn } from '#core/base/ownMembers.ts';
import { parseJson } from '#core/base/json.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import { attributePattern, readJsonPath, escapePlaceholders, unescapePlaceholders, findPatternProblem } from '../placeholders.ts';
import { encodeForm, isShort, type Requests } from './requests.ts';
import { UNDEFINED_VALUE, numberIn, plain, plainText, text, unknown, type Value } from './values.ts';
import { noteMadeUpLetters } from '../notes.ts';

// Results, as plan values, of functions of JavaScript, k6 and its library that scripts call.

const MAX_ITEMS = 10_000;
const WHOLE_BODY_PATTERN = '^([^]*)$';

export const HTTP_METHODS = {
  get: 'GET',
  head: 'HEAD',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  del: 'DELETE',
  options: 'OPTIONS',
} as const;

type Builtin = (args: readonly Value[], requests: Requests, line: number) => Value;

export function valueOfCall(name: string, args: readonly Value[], requests: Requests, line: number): Value | undefined {
  return getOwn(BUILTINS, name)?.(args, requests, line);
}

const uuid: Builtin = (_args, { draft }) => placeholder(draft.ownVariable('uuid', { kind: 'uuid' }));

const BUILTINS: Readonly<Record<string, Builtin>> = {
  'JSON.stringify': ([value]) => ({ kind: 'stringified', value: value ?? UNDEFINED_VALUE }),
  'JSON.parse': ([value]) => {
    if (value?.kind === 'file') return { kind: 'rows', path: value.path, format: 'json' };
    if (value?.kind === 'found' && value.from === 'body') return { kind: 'found', step: value.step, from: 'json', at: '$' };
    const json = value?.kind === 'stringified' ? value.value : undefined;
    const known = plainText(value);
    return json ?? (known === null ? unknown('JSON.parse') : valueOfJson(parseJson(known)));
  },
  String: ([value], requests, line) => text(value === undefined ? '' : requests.textOf(value, line)),
  Number: ([value]) => numberOr(value),
  parseInt: ([value]) => numberOr(value),
  parseFloat: ([value]) => numberOr(value),
  open: ([path]) => ({ kind: 'file', path: plainText(path)?.slice(0, 1_000) ?? 'file' }),
  'papaparse.parse': ([value]) => ({
    kind: 'object',
    members: new Map([['data', value?.kind === 'file' ? { kind: 'rows', path: value.path, format: 'csv' } : unknown('papaparse')]]),
  }),
  'http.file': ([value]) => value ?? UNDEFINED_VALUE,
  'http.url': ([value]) => value ?? UNDEFINED_VALUE,
  encodeURIComponent: ([value], requests, line) => text(encodeForm(value === undefined ? '' : requests.textOf(value, line))),
  encodeURI: ([value]) => value ?? UNDEFINED_VALUE,
  uuidv4: uuid,
  'crypto.randomUUID': uuid,
  randomString: (_args, { draft }, line) => {
    noteMadeUpLetters(draft, `line ${line}`);
    return placeholder(draft.ownVariable('uuid', { kind: 'uuid' }));
  },
  randomIntBetween: ([from, to]) => ({ kind: 'random', from: numberIn(from) ?? 0, to: numberIn(to) ?? 1_000, isWhole: true }),
  randomItem: ([list]) => drawFrom(list),
  'Math.random': () => ({ kind: 'random', from: 0, to: 1, isWhole: false }),
  'Math.floor': ([value]) => roundValue(value, Math.floor),
  'Math.round': ([value]) => roundValue(value, Math.round),
  'Math.ceil': ([value]) => roundValue(value, Math.ceil),
  'Math.trunc': ([value]) => roundValue(value, Math.trunc),
  'Math.min': (args) => combineNumbers(args, Math.min),
  'Math.max': (args) => combineNumbers(args, Math.max),
  'Date.now': (_args, { draft }) => ({
    kind: 'placeholder',
    name: draft.variable('now', { kind: 'timestamp', unit: 'milliseconds' }),
    isNumber: true,
  }),
  'encoding.b64encode': ([value], requests, line) => {
    const known = plainText(value);
    if (known !== null) return text(escapePlaceholders(btoa(String.fromCharCode(...new TextEncoder().encode(known.slice(0, 4_000))))));
    requests.draft.noteChanged(`line ${line}`, 'It encodes values of the run in Base64.', 'Holdfast asks for the encoded text.');
    return unknown('BASE64');
  },
};

function placeholder(name: string): Value {
  return { kind: 'placeholder', name, isNumber: false };
}

function numberOr(value: Value | undefined): Value {
  const number = numberIn(value);
  if (number !== null) return plain(number);
  return value ?? UNDEFINED_VALUE;
}

/** Rounds a number. A number drawn at random becomes an integer in the rounded range. */
function roundValue(value: Value | undefined, round: (number: number) => number): Value {
  if (value?.kind === 'random')
    return {
      kind: 'random',
      from: Math.floor(value.from),
      to: round === Math.floor || round === Math.trunc ? Math.ceil(value.to) - 1 : Math.ceil(value.to),
      isWhole: true,
    };
  const number = numberIn(value);
  return number === null ? (value ?? UNDEFINED_VALUE) : plain(round(number));
}

function combineNumbers(args: readonly Value[], join: (...numbers: number[]) => number): Value {
  const numbers = args.map(numberIn);
  return numbers.every((number) => number !== null) && numbers.length > 0 ? plain(join(...numbers)) : unknown('a number');
}

export function drawFrom(list: Value | undefined): Value {
  if (list?.kind === 'list') return { kind: 'drawn', items: list.items };
  return list?.kind === 'rows' ? list : unknown('member');
}

export function valueOfJson(json: unknown, depth = 0): Value {
  if (depth > 60) throw new RangeError('nested too deeply');
  if (typeof json === 'string') return text(escapePlaceholders(json));
  if (Array.isArray(json)) return { kind: 'list', items: json.slice(0, MAX_ITEMS).map((item: unknown) => valueOfJson(item, depth + 1)) };
  if (typeof json === 'object' && json !== null)
    return { kind: 'object', members: new Map(Object.entries(json).map(([name, member]) => [name, valueOfJson(member, depth + 1)])) };
  return typeof json === 'number' || typeof json === 'boolean' ? plain(json) : plain(null);
}

/** Returns the result of a method of a text, list or response; undefined if the method is unknown. */
export function valueOfMethod(on: Value, method: string, args: readonly Value[]): Value | undefined {
  const [first, second] = args.map(plainText);
  switch (on.kind) {
    case 'response': {
      if (method === 'html' && args.length === 0) return { kind: 'builtin', name: 'html', on };
      if (method !== 'json') break;
      const selector = args.length === 0 ? '' : (first ?? null);
      const path = selector === null ? null : readJsonPath(pathOfSelector(selector));
      return path === null ? unknown(`json(${selector ?? ''})`) : { kind: 'found', step: on.step, from: 'json', at: path };
    }
    case 'found': {
      if (on.from !== 'body' || on.at !== WHOLE_BODY_PATTERN || method !== 'match') break;
      const pattern = args[0]?.kind === 'pattern' ? args[0].source : (first ?? null);
      return pattern === null || findPatternProblem(`(${pattern})`, '') !== null ? unknown('match') : { ...on, at: pattern };
    }
    case 'builtin': {
      if (on.name !== 'html' || on.on?.kind !== 'response') break;
      const [, name] = /^\s*(?:input|meta)\[(?:name|id)=["']?([\w.-]{1,60})["']?\]\s*$/.exec(first ?? '') ?? [];
      return method === 'find' && name !== undefined ? { kind: 'selected', step: on.on.step, name } : undefined;
    }
    case 'selected': {
      if (method === 'first' || method === 'eq') return on;
      const attribute = method === 'val' ? 'value' : method === 'attr' ? (first ?? '') : '';
      if (!/^(?:value|content)$/.test(attribute)) return undefined;
      return { kind: 'found', step: on.step, from: 'body', at: attributePattern(on.name, attribute) };
    }
    case 'list':
      if (method === 'join' && on.items.every((item) => plainText(item) !== null)) return joinPlain(on.items, first ?? ',');
      break;
    case 'text': {
      const known = plainText(on);
      if (known === null) break;
      if (method === 'trim') return text(escapePlaceholders(known.trim()));
      if (method === 'toLowerCase') return text(escapePlaceholders(known.toLowerCase()));
      if (method === 'toUpperCase') return text(escapePlaceholders(known.toUpperCase()));
      if (method === 'replace' && typeof first === 'string' && typeof second === 'string')
        return text(escapePlaceholders(known.replace(first, () => second)));
      if (method === 'split' && typeof first === 'string' && first !== '')
        return { kind: 'list', items: known.split(first, MAX_ITEMS).map((part) => text(escapePlaceholders(part))) };
      break;
    }
    default:
  }
  return /^(?:toString|valueOf|toISOString)$/.test(method) && args.length === 0 ? on : undefined;
}

/** Converts a gjson path such as `a.0.b`, which k6 uses, to JSONPath. */
export function pathOfSelector(selector: string): string {
  const parts = selector.split('.').filter((part) => part !== '');
  return `$${parts.map(memberPath).join('')}`;
}

/** Returns a member or a position as a part of a JSONPath. */
function memberPath(name: string): string {
  return /^\d+$/.test(name) ? `[${name}]` : /^[A-Za-z_][\w-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

export function valueOfMember(on: Value, name: string): Value {
  switch (on.kind) {
    case 'object':
      return on.members.get(name) ?? UNDEFINED_VALUE;
    case 'list':
      return name === 'length' ? { kind: 'length', of: on } : (on.items[Number(name)] ?? UNDEFINED_VALUE);
    case 'rows':
      return name === 'length' ? { kind: 'length', of: on } : /^\d+$/.test(name) ? on : unknown(name);
    case 'text':
      return name === 'length' && !hasPlaceholders(on.text) ? plain(unescapePlaceholders(on.text).length) : { kind: 'builtin', name, on };
    case 'row':
      return placeholder(`${on.feed}.${name}`);
    case 'drawn':
      return memberOfDrawn(on.items, name);
    case 'response':
      if (name === 'body') return { kind: 'found', step: on.step, from: 'body', at: WHOLE_BODY_PATTERN };
      if (name === 'headers' || name === 'cookies' || name === 'json') return { kind: 'builtin', name: `response.${name}`, on };
      return unknown(`response.${name}`);
    case 'found': {
      if (on.from === 'cookie') return on;
      if (on.from === 'body' && name === 'length') return unknown('response.body.length');
      // Index 1 of a match is its first group; index 0 is the whole match.
      if (on.from === 'body') return name === '1' ? on : name === '0' ? { ...on, at: `(${on.at})` } : unknown('match');
      const path = on.from === 'json' ? readJsonPath(`${on.at}${memberPath(name)}`) : null;
      return path === null ? unknown(name) : { ...on, at: path };
    }
    case 'builtin':
      return memberOfBuiltin(on, name);
    case 'unknown':
      return unknown(on.what.startsWith('response.') ? `${on.what}.${name}` : name);
    default:
      return unknown(name);
  }
}

function memberOfDrawn(items: readonly Value[], name: string): Value {
  const members = items.map((item) => (item.kind === 'object' ? item.members.get(name) : undefined));
  const known = members.flatMap((member) => (member === undefined ? [] : [member]));
  return known.length === items.length && items.length === 1 ? (known[0] ?? UNDEFINED_VALUE) : unknown(name);
}

function memberOfBuiltin(on: Extract<Value, { kind: 'builtin' }>, name: string): Value {
  const step = on.on?.kind === 'response' ? on.on.step : undefined;
  if (on.name === 'response.headers' && step !== undefined) return { kind: 'found', step, from: 'header', at: name.slice(0, 100) };
  if (on.name === 'response.cookies' && step !== undefined) return { kind: 'found', step, from: 'cookie', at: name.slice(0, 200) };
  return { kind: 'builtin', name: `${on.name}.${name}` };
}

function joinPlain(items: readonly Value[], separator: string): Value {
  let joined = '';
  for (const [index, item] of items.entries()) {
    joined += `${index === 0 ? '' : separator}${plainText(item) ?? ''}`;
    if (!isShort(joined)) return unknown('a long text');
  }
  return text(escapePlaceholders(joined));
}
