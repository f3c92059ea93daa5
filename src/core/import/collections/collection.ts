import { isBlock } from '#core/base/json.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import { valueAtPath, textAt } from '../reading.ts';

// Collections of other clients are converted to Postman’s form, so that one importer reads all of them.

export interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

export interface Field extends Pair {
  readonly type?: 'file';
  readonly src?: string;
  readonly contentType?: string;
}

export type Body =
  | { readonly mode: 'raw'; readonly raw: string; readonly options?: { readonly raw: { readonly language: 'json' } } }
  | { readonly mode: 'urlencoded'; readonly urlencoded: readonly Pair[] }
  | { readonly mode: 'formdata'; readonly formdata: readonly Field[] }
  | { readonly mode: 'file'; readonly file: { readonly src: string } }
  | { readonly mode: 'graphql'; readonly graphql: { readonly query: string; readonly variables: string } };

type Event = { readonly listen: 'test' | 'prerequest'; readonly script: { readonly exec: readonly string[] } };

export interface Request {
  /** Id by which later requests refer to its response. */
  readonly id: string;
  readonly name: string;
  /** Location of the request, as notes state it. */
  readonly location: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly header: readonly Pair[];
    readonly auth: unknown;
    readonly body: Body | undefined;
  };
  readonly event: readonly Event[];
  readonly protocolProfileBehavior?: { readonly followRedirects: boolean };
}

export interface Folder {
  readonly name: string;
  readonly auth?: unknown;
  readonly item: readonly (Folder | Request)[];
}

export interface Environment {
  readonly name: string;
  readonly values: readonly Pair[];
}

/**
 * Returns a request in Postman’s form. `tests` and `before` are the lines of its scripts; `follows` is false if redirects are not followed.
 */
export function readRequest({
  id = '',
  name,
  location = name.slice(0, 60),
  tests = [],
  before = [],
  follows = true,
  ...request
}: Pick<Request, 'name'> &
  Partial<Request> &
  Request['request'] & { tests?: readonly string[]; before?: readonly string[]; follows?: boolean }): Request {
  const event = [...buildScripts('test', tests), ...buildScripts('prerequest', before)];
  return { id, name, location, request, event, ...(follows ? {} : { protocolProfileBehavior: { followRedirects: false } }) };
}

function buildScripts(listen: Event['listen'], lines: readonly string[]): Event[] {
  const exec = lines.filter((line) => line.trim() !== '');
  return exec.length === 0 ? [] : [{ listen, script: { exec } }];
}

export function textBody(raw: string, isJson: boolean): Body {
  return isJson ? { mode: 'raw', raw, options: { raw: { language: 'json' } } } : { mode: 'raw', raw };
}

export function graphqlBody(query: string, variables: string): Body {
  return { mode: 'graphql', graphql: { query, variables } };
}

/** Returns a script line that stores a part of the response under a name. `path` continues `response.json()`: `.a[0].b`. */
export function keepJson(name: string, path: string): string {
  return `pm.environment.set("${name}", pm.response.json()${path});`;
}

export function keepHeader(name: string, header: string): string {
  return `pm.environment.set("${name}", pm.response.headers.get("${header}"));`;
}

/** Script lines that capture values for later requests, by the id of the request whose response contains the value. */
export class KeptValues {
  private readonly lines: Record<string, string[]> = {};

  /** Adds a line and returns the placeholder of its value. */
  keep(id: string, name: string, line: string): string {
    setOwn(this.lines, id, [...(getOwn(this.lines, id) ?? []).filter((one) => one !== line), line]);
    return `{{${name}}}`;
  }

  /** Returns the items with the captures that later requests need. */
  addTo(items: readonly (Folder | Request)[]): (Folder | Request)[] {
    return items.map((one) =>
      'item' in one
        ? { ...one, item: this.addTo(one.item) }
        : { ...one, event: [...one.event, ...buildScripts('test', getOwn(this.lines, one.id) ?? [])] },
    );
  }
}

/** Returns a variable name for a part of a response: the last word of its path. */
export function makeVariableName(before: string, path: string, otherwise: string): string {
  return `${before}_${path.split(/[^\w-]+/).findLast((word) => /[A-Za-z]/.test(word)) ?? otherwise}`.slice(0, 50);
}

/** Returns the settings of a login as a list, in Postman’s form. */
export function readAuth(type: string, settings: Readonly<Record<string, string>> = {}): unknown {
  const own = type === 'none' ? 'noauth' : type.slice(0, 40);
  return { type: own, [own]: Object.entries(settings).map(([key, value]) => ({ key, value })) };
}

const MAX_DEPTH = 20;

/** Flattens nested values to pairs named by their paths, such as `api.host`. */
export function flattenPairs(data: unknown, before = '', depth = 0): Pair[] {
  if (!isBlock(data) || depth > MAX_DEPTH) return [];
  return Object.entries(data).flatMap(([name, value]): Pair[] => {
    const key = `${before}${name}`;
    if (isBlock(value)) return flattenPairs(value, `${key}.`, depth + 1);
    const text = textAt(value);
    return text === null ? [] : [{ key, value: text }];
  });
}

export function isOn(one: unknown): boolean {
  return valueAtPath(one, 'disabled') !== true && valueAtPath(one, 'enabled') !== false;
}

/** Returns a pair of a document in which the key is called `name` or `key`. */
export function readPair(one: unknown): Pair {
  return { key: textAt(one, 'name') ?? textAt(one, 'key') ?? '', value: textAt(one, 'value') ?? '', disabled: !isOn(one) };
}
