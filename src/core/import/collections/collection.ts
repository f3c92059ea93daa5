import { isBlock } from '#core/base/json.ts';
import { at } from '../reading.ts';

// Collections of other clients are converted to the form of Postman’s, which one importer reads.

export interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

export interface Field extends Pair {
  readonly type?: 'file';
  /** Path of a file. */
  readonly src?: string;
  readonly contentType?: string;
}

export type Body =
  | { readonly mode: 'raw'; readonly raw: string; readonly options?: { readonly raw: { readonly language: 'json' } } }
  | { readonly mode: 'urlencoded'; readonly urlencoded: readonly Pair[] }
  | { readonly mode: 'formdata'; readonly formdata: readonly Field[] }
  | { readonly mode: 'file'; readonly file: { readonly src: string } }
  | { readonly mode: 'graphql'; readonly graphql: { readonly query: string; readonly variables: string } };

export interface Request {
  readonly name: string;
  /** Place of the request in notes. */
  readonly place: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly header: readonly Pair[];
    readonly auth?: unknown;
    readonly body?: Body;
  };
  readonly event: readonly { readonly listen: 'test' | 'prerequest'; readonly script: { readonly exec: readonly string[] } }[];
}

export interface Folder {
  readonly name: string;
  readonly auth?: unknown;
  readonly item: readonly (Folder | Request)[];
}

/** A set of values that users of the client choose. */
export interface Environment {
  readonly name: string;
  readonly values: readonly Pair[];
}

export function jsonBody(raw: string): Body {
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

/** Returns the test script of a Postman request with these lines. */
export function testing(lines: readonly string[]): Request['event'] {
  return lines.length === 0 ? [] : [{ listen: 'test', script: { exec: lines } }];
}

/** Returns a script line that stores a part of the response under a name. `path` continues `response.json()`: `.a[0].b`. */
export function keepJson(name: string, path: string): string {
  return `pm.environment.set("${name}", pm.response.json()${path});`;
}

export function keepHeader(name: string, header: string): string {
  return `pm.environment.set("${name}", pm.response.headers.get("${header}"));`;
}

/** Returns the settings of a login as a list in Postman’s form. */
export function authOf(type: string, settings: Readonly<Record<string, string>>): unknown {
  return { type, [type]: Object.entries(settings).map(([key, value]) => ({ key, value })) };
}

const MAX_DEPTH = 20;

/** Flattens nested values to pairs named by their paths: `api.host`. */
export function flatPairs(data: unknown, before = '', depth = 0): Pair[] {
  if (!isBlock(data) || depth > MAX_DEPTH) return [];
  return Object.entries(data).flatMap(([name, value]): Pair[] => {
    const key = `${before}${name}`;
    if (isBlock(value)) return flatPairs(value, `${key}.`, depth + 1);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [{ key, value: String(value) }] : [];
  });
}

export function isOn(one: unknown): boolean {
  return at(one, 'disabled') !== true && at(one, 'enabled') !== false;
}
