import { isBlock, parseJson } from '#core/base/json.ts';
import type { Step } from '#core/plan/schema/step.ts';
import { percentDecoded, queryDecoded } from '../address.ts';
import { formPairs } from '../requestParts.ts';
import type { Exchange } from './walk.ts';

/** A single value of a request: a part of its path, a parameter, a field, a member of JSON, a header, or its body as a whole. */
export interface Leaf {
  /** Position of the value, which is the same in a plan and in a recording: `form.csrf`, `path.2`, `json.$.user.id`. */
  readonly key: string;
  readonly location: 'path' | 'query' | 'form' | 'part' | 'json' | 'header' | 'body' | 'message';
  /** Name of the field, header or member. For a part of a path, the part before that. */
  readonly name: string;
  /** The value as sent: with percent-encoding in an address. */
  readonly raw: string;
  readonly value: string;
  /** Whether the value is a JSON number, which has no quotes. */
  readonly isNumber: boolean;
}

/** A text of a plan, which may contain placeholders. null if the text is a reference to a secret. */
export interface PlanLeaf {
  readonly key: string;
  readonly text: string | null;
}

const MAX_DEPTH = 40;
const MAX_PARTS = 30;
const MIN_PART_LENGTH = 8;
const IGNORED_HEADER_PATTERN =
  /^(:.*|accept.*|content-.*|host|connection|cookie|origin|referer|user-agent|x-requested-with|sec-.*|if-.*|pragma|cache-control|dnt|priority|upgrade.*|range)$/i;

/** Returns the values of a recorded request. */
export function listLeaves({ url, headers, body, fields, sentMessages }: Exchange): Leaf[] {
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  return [
    ...addressLeaves(URL.canParse(url) ? `${new URL(url).pathname}${new URL(url).search}` : url),
    ...headers.flatMap(([name, value]): Leaf[] =>
      IGNORED_HEADER_PATTERN.test(name) ? [] : [buildLeaf(`header.${name.toLowerCase()}`, 'header', name, value)],
    ),
    ...(body === null || fields !== undefined ? [] : bodyLeaves(body, type)),
    ...(sentMessages ?? []).map((text, index) => buildLeaf(`message.${index}`, 'message', '', text)),
    ...(fields ?? []).flatMap(([name, value]): Leaf[] =>
      /multipart/i.test(type) ? [buildLeaf(`part.${name}`, 'part', name, value)] : [buildLeaf(`form.${name}`, 'form', name, value)],
    ),
  ];
}

/**
 * Splits a value such as `Bearer TOKEN` or `return=/a?state=TOKEN` at spaces, then at all separators. Returns the generated parts of both
 * splits, and the domain of a mail address.
 */
export function splitValue(value: string): string[][] {
  const domain = readMailDomain(value);
  return [
    ...[/\s+/, /[\s,;|&=?/:"'{}()[\]<>\\]+/].map((signs) =>
      [...new Set(value.split(signs))]
        .filter((part) => part !== value && part.length >= MIN_PART_LENGTH && looksGenerated(part))
        .slice(0, MAX_PARTS),
    ),
    ...(domain === null ? [] : [[domain]]),
  ];
}

/** Returns the domain of a mail address, which may belong to an account; null for any other value. */
export function readMailDomain(value: string): string | null {
  return /^[^\s@]{1,64}@([a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,9})$/i.exec(value)?.[1] ?? null;
}

/** Returns whether a value looks like a token or an item number rather than text that a person enters or chooses. */
export function looksGenerated(value: string): boolean {
  if (/\s/.test(value) || /^\d{4}-\d\d-\d\d/.test(value)) return false;
  return (
    /^\d{5,}$/.test(value) || (value.length >= 8 && /\d/.test(value)) || (value.length >= 16 && /[a-z]/.test(value) && /[A-Z]/.test(value))
  );
}

function buildLeaf(key: string, location: Leaf['location'], name: string, value: string, raw = value, isNumber = false): Leaf {
  return { key, location, name, raw, value, isNumber };
}

function addressLeaves(address: string): Leaf[] {
  const { segments, fields } = addressParts(address);
  return [
    ...segments.map((raw, index) => buildLeaf(`path.${index}`, 'path', segments[index - 1] ?? '', percentDecoded(raw), raw)),
    ...fields.map(({ key, name, raw }) => buildLeaf(key, 'query', name, queryDecoded(raw), raw)),
  ];
}

/** Splits an address into path segments and query fields. The key of a parameter ends with its number among the parameters of that name. */
function addressParts(address: string): { segments: string[]; fields: { key: string; name: string; raw: string; before: string }[] } {
  const question = address.indexOf('?');
  const path = question < 0 ? address : address.slice(0, question);
  const seen = new Map<string, number>();
  const fields = (question < 0 ? [] : address.slice(question + 1).split('&')).map((field) => {
    const equals = field.indexOf('=');
    const name = queryDecoded(equals < 0 ? field : field.slice(0, equals));
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return {
      key: `query.${name}.${count}`,
      name,
      raw: equals < 0 ? '' : field.slice(equals + 1),
      before: equals < 0 ? field : field.slice(0, equals + 1),
    };
  });
  return { segments: path.split('/'), fields };
}

/** Returns the fields of a sent body. A body without fields is a single value. */
export function bodyLeaves(body: string, type: string): Leaf[] {
  if (/x-www-form-urlencoded/i.test(type)) {
    const pairs = formPairs(body) ?? [];
    return pairs.map(([name, value]) => buildLeaf(`form.${name}`, 'form', name, value));
  }
  if (/multipart\/form-data/i.test(type)) return partLeaves(body, type);
  const json = /json/i.test(type) ? parseJson(body) : undefined;
  const whole = buildLeaf('body', 'body', '', body);
  return json === undefined ? [whole] : [whole, ...jsonLeaves(json, '$', '', 0)];
}

/** Returns the fields of a multipart form, without files. */
export function partLeaves(body: string, type: string): Leaf[] {
  const [, boundary = ''] = /boundary="?([^";]{1,100})/i.exec(type) ?? [];
  const pieces = boundary === '' ? [] : body.split(`--${boundary}`).slice(1, -1);
  return pieces.flatMap((piece): Leaf[] => {
    const blank = piece.indexOf('\r\n\r\n');
    const head = piece.slice(0, Math.max(0, blank));
    const name = /[; ]name="([^"]{1,200})"/i.exec(head)?.[1];
    return name === undefined || /filename="/i.test(head) ? [] : [buildLeaf(`part.${name}`, 'part', name, piece.slice(blank + 4, -2))];
  });
}

function jsonLeaves(value: unknown, path: string, name: string, depth: number): Leaf[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => jsonLeaves(item, `${path}[${index}]`, name, depth + 1));
  if (isBlock(value)) return Object.entries(value).flatMap(([key, member]) => jsonLeaves(member, `${path}.${key}`, key, depth + 1));
  if (typeof value === 'string') return [buildLeaf(`json.${path}`, 'json', name, value)];
  return typeof value === 'number' ? [buildLeaf(`json.${path}`, 'json', name, String(value), String(value), true)] : [];
}

/** Returns those texts of a step that may contain values. */
export function planLeaves(step: Step): PlanLeaf[] {
  const { segments, fields } = addressParts(step.path);
  return [
    ...segments.map((text, index) => ({ key: `path.${index}`, text })),
    ...fields.map(({ key, raw }) => ({ key, text: raw })),
    ...Object.entries(step.headers).map(([name, value]) => ({
      key: `header.${name.toLowerCase()}`,
      text: typeof value === 'string' ? value : null,
    })),
    ...Object.entries(step.form ?? {}).map(([name, text]) => ({ key: `form.${name}`, text })),
    ...(step.multipart ?? []).flatMap((part) => ('value' in part ? [{ key: `part.${part.name}`, text: part.value }] : [])),
    ...(step.json === undefined ? [] : jsonLeaves(step.json, '$', '', 0).map(({ key, raw }) => ({ key, text: raw }))),
    ...(step.body === undefined ? [] : [{ key: 'body', text: typeof step.body === 'string' ? step.body : null }]),
    ...(step.stream?.send?.messages ?? []).map((text, index) => ({ key: `message.${index}`, text })),
  ];
}

/** Replaces the text at a position of a step. */
export function setLeaf(step: Step, key: string, newValue: string | number): Step {
  const text = String(newValue);
  const [kind = ''] = key.split('.', 1);
  const rest = key.slice(kind.length + 1);
  switch (kind) {
    case 'path':
    case 'query':
      return { ...step, path: setAddressPart(step.path, key, text) };
    case 'header':
      return { ...step, headers: mapRecord(step.headers, (name, value) => (name.toLowerCase() === rest ? text : value)) };
    case 'form':
      return { ...step, form: mapRecord(step.form ?? {}, (name, value) => (name === rest ? text : value)) };
    case 'part':
      return {
        ...step,
        multipart: (step.multipart ?? []).map((part) => ('value' in part && part.name === rest ? { ...part, value: text } : part)),
      };
    case 'json':
      return step.json === undefined ? step : { ...step, json: setJsonMember(step.json, '$', rest, newValue) };
    case 'body':
      return { ...step, body: text };
    case 'message':
      return step.stream?.send === undefined
        ? step
        : {
            ...step,
            stream: {
              ...step.stream,
              send: {
                ...step.stream.send,
                messages: step.stream.send.messages.map((message, index) => (String(index) === rest ? text : message)),
              },
            },
          };
    default:
      return step;
  }
}

function mapRecord<Value>(record: Readonly<Record<string, Value>>, map: (name: string, value: Value) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(name, value)]));
}

function setAddressPart(address: string, key: string, text: string): string {
  const { segments, fields } = addressParts(address);
  const path = segments.map((segment, index) => (key === `path.${index}` ? text : segment)).join('/');
  if (!address.includes('?')) return path;
  return `${path}?${fields.map((field) => `${field.before}${field.key === key ? text : field.raw}`).join('&')}`;
}

type Json = Exclude<Step['json'], undefined>;

function setJsonMember(value: Json, path: string, wanted: string, text: string | number): Json {
  if (path === wanted) return text;
  if (Array.isArray(value)) return value.map((item, index) => setJsonMember(item, `${path}[${index}]`, wanted, text));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, setJsonMember(member, `${path}.${key}`, wanted, text)]));
  return value;
}
