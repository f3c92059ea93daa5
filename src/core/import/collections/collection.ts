import { isBlock } from '#core/base/json.ts';
import { at } from '../reading.ts';

// Collections of other clients in the form of Postman's, which one reader makes a plan of.

export interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

export interface Field extends Pair {
  readonly type?: 'file';
  /** The path of a file. */
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
  /** Where notes say that it stands. */
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

/** A set of values that a person chooses in the client. */
export interface Environment {
  readonly name: string;
  readonly values: readonly Pair[];
}

export function jsonBody(raw: string): Body {
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

/** What a test script of Postman says of the same. */
export function testing(lines: readonly string[]): Request['event'] {
  return lines.length === 0 ? [] : [{ listen: 'test', script: { exec: lines } }];
}

/** A line that keeps a part of the response under a name; `path` continues `response.json()`: `.a[0].b`. */
export function keepJson(name: string, path: string): string {
  return `pm.environment.set("${name}", pm.response.json()${path});`;
}

export function keepHeader(name: string, header: string): string {
  return `pm.environment.set("${name}", pm.response.headers.get("${header}"));`;
}

/** Settings of a login, as a list of Postman has them. */
export function authOf(type: string, settings: Readonly<Record<string, string>>): unknown {
  return { type, [type]: Object.entries(settings).map(([key, value]) => ({ key, value })) };
}

const MAX_DEPTH = 20;

/** Values within values as single ones, by their paths: `api.host`. */
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
