import { parseJson } from '#core/base/json.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { ImportResult } from '../imported.ts';
import { importCollection } from '../postman/importPostman.ts';
import { at, listAt, numberAt, textAt } from '../reading.ts';
import {
  authOf,
  type Body,
  type Environment,
  type Field,
  flatPairs,
  type Folder,
  isOn,
  jsonBody,
  keepHeader,
  keepJson,
  type Pair,
  type Request,
  testing,
} from './collection.ts';

const MAX_DEPTH = 30;

/** Makes a plan from an Insomnia export: version 4 in JSON or version 5 in YAML. */
export function importInsomnia(document: unknown, chosen: string | null): ImportResult {
  const reader = new Reader();
  const isOld = at(document, 'resources') !== undefined;
  const tree = isOld ? reader.oldItems(document) : reader.items(listAt(document, 'collection'), 0);
  const { base, environments } = isOld ? oldEnvironments(document) : newEnvironments(document);
  return importCollection({
    kind: 'insomnia',
    client: 'Insomnia',
    name:
      (isOld
        ? listAt(document, 'resources').map((one) => (textAt(one, '_type') === 'workspace' ? textAt(one, 'name') : null))
        : [textAt(document, 'name')]
      ).find((name) => name !== null) ?? 'Insomnia collection',
    items: reader.withKept(tree),
    variables: base,
    environments,
    chosen,
  });
}

function newEnvironments(document: unknown): { base: Pair[]; environments: Environment[] } {
  return {
    base: variables(at(document, 'environments', 'data')),
    environments: listAt(document, 'environments', 'subEnvironments').map((one) => ({
      name: textAt(one, 'name') ?? 'environment',
      values: variables(at(one, 'data')),
    })),
  };
}

function oldEnvironments(document: unknown): { base: Pair[]; environments: Environment[] } {
  const all = listAt(document, 'resources').filter((one) => textAt(one, '_type') === 'environment');
  const ids = new Set(all.map((one) => textAt(one, '_id')));
  const isBase = (one: unknown): boolean => !ids.has(textAt(one, 'parentId'));
  return {
    base: all.filter(isBase).flatMap((one) => variables(at(one, 'data'))),
    environments: all
      .filter((one) => !isBase(one))
      .map((one) => ({ name: textAt(one, 'name') ?? 'environment', values: variables(at(one, 'data')) })),
  };
}

function variables(data: unknown): Pair[] {
  return flatPairs(data).map(({ key, value }) => ({ key, value: plainTemplate(value) }));
}

/** Converts `{{ _.name }}` and `{{ name | filter }}` to `{{name}}`. */
function plainTemplate(text: string): string {
  return text.replaceAll(/\{\{\s*(?:_\.)?([\w.]{1,100})[^{}]{0,100}\}\}/g, '{{$1}}');
}

class Reader {
  /** Test script lines that capture values for later requests, by request id. */
  private readonly kept: Record<string, string[]> = {};

  /** Returns the items of version 4, which lists requests flat and refers to folders by id. */
  oldItems(document: unknown): (Folder | Request)[] {
    const byParent = new Map<string, unknown[]>();
    for (const one of listAt(document, 'resources')) {
      if (!/^(?:request|request_group|websocket_request|grpc_request)$/.test(textAt(one, '_type') ?? '')) continue;
      const parent = textAt(one, 'parentId') ?? '';
      byParent.set(parent, [...(byParent.get(parent) ?? []), one]);
    }
    const ids = new Set([...byParent.values()].flat().map((one) => textAt(one, '_id') ?? ''));
    const below = (parent: string, depth: number): (Folder | Request)[] =>
      (byParent.get(parent) ?? [])
        .toSorted((one, other) => (numberAt(one, 'metaSortKey') ?? 0) - (numberAt(other, 'metaSortKey') ?? 0))
        .map((one) => {
          if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
          if (textAt(one, '_type') !== 'request_group') return this.request(one, textAt(one, '_id') ?? '');
          return this.folder(one, below(textAt(one, '_id') ?? '', depth + 1));
        });
    return [...byParent.keys()].filter((parent) => !ids.has(parent)).flatMap((parent) => below(parent, 0));
  }

  items(list: readonly unknown[], depth: number): (Folder | Request)[] {
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    return list.map((one) => {
      const children = at(one, 'children');
      return Array.isArray(children)
        ? this.folder(one, this.items(children, depth + 1))
        : this.request(one, textAt(one, 'meta', 'id') ?? '');
    });
  }

  private folder(one: unknown, item: (Folder | Request)[]): Folder {
    const auth = this.auth(at(one, 'authentication'));
    return { name: textAt(one, 'name') ?? 'folder', item, ...(auth === undefined ? {} : { auth }) };
  }

  private request(one: unknown, id: string): Request & { id: string } {
    const name = textAt(one, 'name') ?? 'request';
    const write = (text: string | null): string => this.write(text ?? '');
    const query = listAt(one, 'parameters')
      .filter(isOn)
      .map((pair) => `${encodeURIComponent(textAt(pair, 'name') ?? '').slice(0, 600)}=${write(textAt(pair, 'value'))}`);
    const url = listAt(one, 'pathParameters').reduce<string>(
      (all, pair) => all.replaceAll(`:${textAt(pair, 'name') ?? '\0'}`, () => write(textAt(pair, 'value'))),
      write(textAt(one, 'url')),
    );
    const auth = this.auth(at(one, 'authentication'));
    const body = this.body(at(one, 'body'));
    return {
      id,
      name,
      place: name.slice(0, 60),
      request: {
        method: otherProtocol(one, url) ?? textAt(one, 'method') ?? 'GET',
        url: query.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${query.join('&')}`,
        header: listAt(one, 'headers')
          .map((header) => ({
            key: textAt(header, 'name') ?? '',
            value: write(textAt(header, 'value')),
            disabled: !isOn(header) || /^insomnia\//i.test(textAt(header, 'value') ?? ''),
          }))
          .filter(({ key, value, disabled }) => key !== '' && !(disabled && /^insomnia\//i.test(value))),
        ...(auth === undefined ? {} : { auth }),
        ...(body === undefined ? {} : { body }),
      },
      event: [
        ...testing(scriptOf(textAt(one, 'afterResponseScript') ?? textAt(one, 'scripts', 'afterResponse'))),
        ...testing(scriptOf(textAt(one, 'preRequestScript') ?? textAt(one, 'scripts', 'preRequest'))).map((event) => ({
          ...event,
          listen: 'prerequest' as const,
        })),
      ],
    };
  }

  private auth(given: unknown): unknown {
    const type = textAt(given, 'type');
    if (type === null || at(given, 'disabled') === true || type === 'none') return type === null ? undefined : authOf('noauth', {});
    const setting = (name: string): string => this.write(textAt(given, name) ?? '');
    switch (type) {
      case 'bearer':
        return authOf('bearer', { token: setting('token') });
      case 'basic':
        return authOf('basic', { username: setting('username'), password: setting('password') });
      case 'apikey':
        return authOf('apikey', {
          key: setting('key'),
          value: setting('value'),
          in: textAt(given, 'addTo') === 'queryParams' ? 'query' : 'header',
        });
      case 'oauth2':
        return authOf('oauth2', { accessToken: setting('accessToken') });
      default:
        return authOf(type.slice(0, 40), {});
    }
  }

  private body(given: unknown): Body | undefined {
    const type = textAt(given, 'mimeType') ?? '';
    const text = this.write(textAt(given, 'text') ?? '');
    const fields = listAt(given, 'params')
      .filter(isOn)
      .map((one): Field => {
        const pair = { key: textAt(one, 'name') ?? '', value: this.write(textAt(one, 'value') ?? '') };
        return textAt(one, 'type') === 'file' ? { ...pair, type: 'file', src: textAt(one, 'fileName') ?? '' } : pair;
      });
    if (type === 'multipart/form-data') return { mode: 'formdata', formdata: fields };
    if (type === 'application/x-www-form-urlencoded') return { mode: 'urlencoded', urlencoded: fields };
    if (type === 'application/octet-stream') return { mode: 'file', file: { src: textAt(given, 'fileName') ?? '' } };
    if (text === '') return undefined;
    if (type === 'application/graphql') {
      const graphql = parseJson(text);
      const parts = at(graphql, 'variables');
      return {
        mode: 'graphql',
        graphql: { query: textAt(graphql, 'query') ?? text, variables: typeof parts === 'string' ? parts : JSON.stringify(parts ?? {}) },
      };
    }
    return /json/i.test(type) ? jsonBody(text) : { mode: 'raw', raw: text };
  }

  /** Converts tags to Postman variables: `{% uuid %}`, `{% now %}`, and parts of an earlier response. */
  private write(text: string): string {
    return plainTemplate(text).replaceAll(/\{%\s*(\w{1,40})([^{}]{0,1000}?)%\}/g, (_whole, tag: string, given: string) => {
      const args = [...given.matchAll(/'([^']{0,600})'/g)].map(([, arg = '']) => arg);
      if (tag === 'uuid') return '{{$guid}}';
      if (tag === 'timestamp') return '{{$timestamp}}';
      if (tag === 'now') return args[0] === 'unix' || args[0] === 'millis' ? '{{$timestamp}}' : '{{$isoTimestamp}}';
      return tag === 'response' ? this.ofResponse(args) : `{{insomnia_${tag}}}`;
    });
  }

  private ofResponse([part = '', id = '', selector = '']: readonly string[]): string {
    const path = decodeArgument(selector);
    const name = `${part}_${path.split(/[^\w-]+/).findLast((word) => /[A-Za-z]/.test(word)) ?? 'value'}`.slice(0, 50);
    const line =
      part === 'header' ? keepHeader(name, path) : part === 'body' && path.startsWith('$') ? keepJson(name, path.slice(1)) : null;
    if (line === null) return `{{insomnia_${part || 'response'}}}`;
    setOwn(this.kept, id, [...(getOwn(this.kept, id) ?? []).filter((one) => one !== line), line]);
    return `{{${name}}}`;
  }

  /** Returns the items with the captures that later requests need. */
  withKept(items: readonly (Folder | Request)[]): (Folder | Request)[] {
    return items.map((one) => {
      if ('item' in one) return { ...one, item: this.withKept(one.item) };
      const lines = getOwn(this.kept, textAt(one, 'id') ?? '') ?? [];
      return { ...one, event: [...one.event, ...testing(lines)] };
    });
  }
}

/** Returns the protocol of a gRPC or WebSocket request, recognized by members that only these have; null for HTTP. */
function otherProtocol(one: unknown, url: string): string | null {
  const id = textAt(one, '_id') ?? textAt(one, 'meta', 'id') ?? '';
  if (at(one, 'protoMethodName') !== undefined || id.startsWith('greq_')) return 'GRPC';
  return /^wss?:/i.test(url) || id.startsWith('ws-req_') ? 'WEBSOCKET' : null;
}

/** Decodes `b64::JC50b2tlbg==::46b`, the form in which Insomnia stores tag arguments. */
function decodeArgument(text: string): string {
  const [, coded] = /^b64::([\w+/=]{0,600})::46b$/.exec(text) ?? [];
  if (coded === undefined) return text;
  try {
    return atob(coded);
  } catch {
    return text;
  }
}

function scriptOf(script: string | null): string[] {
  return (script ?? '')
    .split('\n')
    .map((line) => line.replaceAll(/\binsomnia\./g, 'pm.'))
    .filter((line) => line.trim() !== '');
}
