import { isHarmlessHeader } from '../plan/harmlessHeaders.ts';
import { METHODS, type PlanInput } from '../plan/schema.ts';
import { TOOLS, type Field, type Meaning, type Tool } from './commandTools.ts';
import { shellWords, type Refused } from './shellWords.ts';
import { completeUrl, urlProblem } from '../plan/url.ts';

/** What a pasted command asks for, as far as a plan can say it. Secrets are apart, to be kept before a plan is made of the rest. */
export interface Command {
  readonly name: string;
  readonly target: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly cookie: string | null;
  readonly method: (typeof METHODS)[number];
  /** What else of the plan the command says. */
  readonly settings: { readonly tls?: { readonly verify: false }; readonly timeoutSeconds?: number };
  readonly load: PlanInput['load'];
}

/** A command is taken over whole, or not at all: `refused` names everything that a plan made of it would have left out. */
export type Reading =
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'refused'; readonly tool: string; readonly refused: readonly Refused[] };

interface Given {
  readonly option: string;
  readonly value: string;
}
interface Parsed {
  readonly fields: Map<Field, Given[]>;
  readonly switches: Set<string>;
  readonly refused: Refused[];
}

/** A bare address says nothing of a load; this one is proposed. */
const ADDRESS_ONLY: Tool = { options: new Map(), singleDashWords: false, connections: 10, end: { seconds: 30 }, bothEnds: 'refused' };

/** Reads `ab -n 1000 -c 10 URL` and its like, or a bare address; null when the text is neither. */
export function readCommand(text: string): Reading | null {
  const { words, refused } = shellWords(text.trim());
  const [first = '', ...rest] = words;
  const toolName = first.replace(/^.*\//, '');
  const tool = TOOLS.get(toolName);
  if (!tool) {
    const only = text.trim().replaceAll(/^(['"])(.*)\1$/g, '$2');
    if (/\s/.test(only) || !(/^https?:\/\//i.test(only) || only.includes('.')) || !isUrl(only)) return null;
    return build(null, ADDRESS_ONLY, { fields: new Map([['address', [{ option: '', value: only }]]]), switches: new Set(), refused: [] });
  }
  const parsed = parse(rest, tool);
  parsed.refused.unshift(...refused);
  return build(toolName, tool, parsed);
}

function isUrl(text: string): boolean {
  return text !== '' && urlProblem(text) === null;
}

function parse(words: readonly string[], tool: Tool): Parsed {
  const parsed: Parsed = { fields: new Map(), switches: new Set(), refused: [] };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (!word.startsWith('-') || word === '-') {
      give(parsed, 'address', { option: '', value: word });
      continue;
    }
    for (const [option, attached] of splitOptions(word, tool)) {
      const meaning = tool.options.get(option);
      if (!takesValue(meaning)) {
        note(parsed, option, meaning, '');
        if (attached !== null) parsed.refused.push({ what: option, reason: 'unknown' });
        continue;
      }
      const value = attached ?? words[(index += 1)];
      if (value === undefined) parsed.refused.push({ what: option, reason: 'noValue' });
      else note(parsed, option, meaning, value);
    }
  }
  return parsed;
}

function takesValue(meaning: Meaning | undefined): boolean {
  if (!meaning || meaning.kind === 'switch') return false;
  return meaning.kind !== 'refused' || meaning.hasValue;
}

function note(parsed: Parsed, option: string, meaning: Meaning | undefined, value: string): void {
  switch (meaning?.kind) {
    case undefined:
      parsed.refused.push({ what: option, reason: 'unknown' });
      break;
    case 'refused':
      parsed.refused.push({ what: option, reason: meaning.reason });
      break;
    case 'switch':
      parsed.switches.add(meaning.does);
      break;
    case 'field':
      give(parsed, meaning.field, { option, value });
      break;
    case 'output':
      break;
    default:
      meaning satisfies never;
  }
}

function give({ fields }: Parsed, field: Field, given: Given): void {
  fields.set(field, [...(fields.get(field) ?? []), given]);
}

/** `--connections=10` and `-c10` carry their value, `-kc10` two options; `-c` and `--connections` carry none. */
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
    options.push([option, null]);
    if (!meaning) return options;
  }
  return options;
}

function build(toolName: string | null, tool: Tool, { fields, switches, refused }: Parsed): Reading | null {
  const last = <Value>(field: Field, read: (text: string) => Value | null, reason: Refused['reason'], shows = true): Value | null => {
    const given = fields.get(field)?.at(-1);
    if (!given) return null;
    const value = read(given.value);
    if (value === null) refused.push({ what: shows ? `${given.option} ${given.value}` : given.option, reason });
    return value;
  };
  const all = (field: Field): readonly Given[] => fields.get(field) ?? [];
  const connections = last('connections', wholeNumber, 'number') ?? tool.connections;
  const requests = last('requests', wholeNumber, 'number');
  const seconds = last('duration', durationSeconds, 'number');
  const timeoutSeconds = last('timeout', timeLimit, 'number');
  const rate = last('rate', rateOf, 'number');
  const ratePerConnection = last('ratePerConnection', rateOf, 'number');
  const method = last('method', readMethod, 'method') ?? (switches.has('head') ? 'HEAD' : 'GET');
  const login = last('login', basicLogin, 'login', false);
  if (requests !== null && seconds !== null && tool.bothEnds === 'refused') {
    const [first, second] = [...all('requests'), ...all('duration')].map(({ option }) => option);
    refused.push({ what: `${first ?? ''} ${second ?? ''}`, reason: 'twoEnds' });
  }

  const headers: (readonly [string, string])[] = [];
  for (const { option, value } of all('header')) {
    const header = splitHeader(value, toolName === 'autocannon' ? /[:=]/ : /:/);
    if (header) headers.push(header);
    else refused.push({ what: option, reason: 'header' });
  }
  for (const [field, name] of NAMED_HEADERS) for (const { value } of all(field).slice(-1)) headers.push([name, value]);
  if (login !== null) headers.push(['Authorization', login]);
  if (switches.has('compressed') && !headers.some(([name]) => /^accept-encoding$/i.test(name)))
    headers.push(['Accept-Encoding', 'gzip, deflate, br']);
  for (const { option, value } of all('cookie')) if (!value.includes('=')) refused.push({ what: option, reason: 'cookieFile' });

  const addresses = all('address').map(({ value }) => value);
  const [address = ''] = addresses;
  if (addresses.length > 1) refused.push({ what: addresses.join(' '), reason: 'addresses' });
  if (refused.length > 0) return { kind: 'refused', tool: toolName ?? '', refused };
  if (!isUrl(address)) return null;

  const isCookie = ([name]: readonly [string, string]): boolean => /^cookie$/i.test(name);
  const cookies = [...all('cookie').map(({ value }) => value), ...headers.filter(isCookie).map(([, value]) => value)];
  const others = headers.filter((header) => !isCookie(header));
  const url = completeUrl(address);
  const { host } = new URL(url);
  return {
    kind: 'command',
    command: {
      name: toolName === null ? `Load on ${host}` : `${toolName} of ${host}`,
      target: { url, headers: Object.fromEntries(others.filter(([name]) => isHarmlessHeader(name))) },
      secretHeaders: Object.fromEntries(others.filter(([name]) => !isHarmlessHeader(name))),
      cookie: cookies.length > 0 ? cookies.join('; ') : null,
      method,
      settings: {
        ...(switches.has('insecure') ? { tls: { verify: false } } : {}),
        ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
      },
      load: loadOf(connections, ratePerConnection === null ? rate : ratePerConnection * connections, endOf(tool, requests, seconds)),
    },
  };
}

const NAMED_HEADERS: readonly (readonly [Field, string])[] = [
  ['contentType', 'Content-Type'],
  ['accept', 'Accept'],
  ['userAgent', 'User-Agent'],
  ['referer', 'Referer'],
  ['host', 'Host'],
];

/**
 * A rate makes arrivals of it: the tools want requests to start at a rate, and so do arrivals. Their connections are how many can be on their
 * way at once. A number of requests takes as long as the rate makes it.
 */
function loadOf(connections: number, perSecond: number | null, end: Tool['end']): PlanInput['load'] {
  const name = 'load';
  if (perSecond === null) return { model: 'connections', stages: [{ name, connections, ...end }] };
  const stage =
    'seconds' in end
      ? { kind: 'constant' as const, name, perSecond, seconds: end.seconds }
      : { kind: 'count' as const, name, arrivals: end.requests, seconds: end.requests / perSecond };
  return { model: 'arrivals', maxInFlight: connections, stages: [stage] };
}

function endOf(tool: Tool, requests: number | null, seconds: number | null): Tool['end'] {
  if (requests !== null && (seconds === null || tool.bothEnds === 'requests')) return { requests };
  return seconds === null ? tool.end : { seconds };
}

/** null for a header without a value as well: curl takes such a one away. */
function splitHeader(header: string, separator: RegExp): readonly [name: string, value: string] | null {
  const at = header.search(separator);
  const [name, value] = [header.slice(0, at).trim(), header.slice(at + 1).trim()];
  return at > 0 && value !== '' ? [name, value] : null;
}

function readMethod(text: string): (typeof METHODS)[number] | null {
  return METHODS.find((method) => method === text.toUpperCase()) ?? null;
}

/** The value of an Authorization header (RFC 7617, UTF-8); null without a password, which the tool would ask for. */
function basicLogin(text: string): string | null {
  if (!text.includes(':')) return null;
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`;
}

function wholeNumber(text: string): number | null {
  return /^\d{1,12}$/.test(text) ? Number(text) : null;
}

/** A rate above 0, whole or with a fraction. */
function rateOf(text: string): number | null {
  const rate = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) : 0;
  return rate > 0 ? rate : null;
}

/** What a plan takes as a time limit: a second or more. */
function timeLimit(text: string): number | null {
  const seconds = durationSeconds(text);
  return seconds !== null && seconds >= 1 ? seconds : null;
}

/** `30`, `30s`, `2m`, `1h`, `500ms`; null when it is none of them. */
function durationSeconds(text: string): number | null {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  if (!parts) return null;
  const unit = { ms: 0.001, s: 1, m: 60, h: 3600 }[parts[2] ?? 's'] ?? 1;
  return Number(parts[1]) * unit;
}
