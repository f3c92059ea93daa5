import { parseJson } from '#core/base/json.ts';
import type { ImportResult } from '../imported.ts';
import { importCollection } from '../postman/importPostman.ts';
import { valueAtPath, listAt, numberAt, textAt } from '../reading.ts';
import * as postman from './collection.ts';

const MAX_DEPTH = 30;
/** Maximum length of a text after variables of folders are filled in. */
const MAX_TEXT_LENGTH = 1_000_000;

/** Makes a plan from an Insomnia export: version 4 in JSON or version 5 in YAML. */
export function importInsomnia(document: unknown, chosen: string | null): ImportResult {
  const reader = new Reader();
  const resources = listAt(document, 'resources');
  const isOld = valueAtPath(document, 'resources') !== undefined;
  const workspace = isOld ? resources.find((one) => textAt(one, '_type') === 'workspace' && textAt(one, 'name') !== null) : document;
  const tree = isOld ? reader.readOldItems(resources) : reader.readItems(listAt(document, 'collection'), 0);
  return importCollection({
    kind: 'insomnia',
    client: 'Insomnia',
    name: textAt(workspace, 'name') ?? 'Insomnia collection',
    items: reader.kept.addTo(tree),
    ...(isOld ? readOldEnvironments(resources) : readNewEnvironments(document)),
    chosen,
  });
}

/** Returns whether a document is an export of Insomnia before version 3 (2017), whose bodies and logins have another form. */
export function isOldInsomnia(document: unknown): boolean {
  return textAt(document, '_type') === 'export' && (numberAt(document, '__export_format') ?? 4) < 3;
}

function readNewEnvironments(document: unknown): { variables: postman.Pair[]; environments: postman.Environment[] } {
  return {
    variables: readVariables(valueAtPath(document, 'environments')),
    environments: listAt(document, 'environments', 'subEnvironments').map(readEnvironment),
  };
}

function readOldEnvironments(resources: readonly unknown[]): { variables: postman.Pair[]; environments: postman.Environment[] } {
  const all = resources.filter((one) => textAt(one, '_type') === 'environment');
  const ids = new Set(all.map((one) => textAt(one, '_id')));
  const isBase = (one: unknown): boolean => !ids.has(textAt(one, 'parentId'));
  return { variables: all.filter(isBase).flatMap(readVariables), environments: all.filter((one) => !isBase(one)).map(readEnvironment) };
}

function readEnvironment(one: unknown): postman.Environment {
  return { name: textAt(one, 'name') ?? 'environment', values: readVariables(one) };
}

function readVariables(environment: unknown): postman.Pair[] {
  return postman.flattenPairs(valueAtPath(environment, 'data')).map(({ key, value }) => ({ key, value: simplifyTemplate(value) }));
}

/** Converts `{{ _.name }}`, `{{ _['name'] }}` and `{{ name | filter }}` to `{{name}}`. */
function simplifyTemplate(text: string): string {
  return text.replaceAll(/\{\{\s*(?:_(?:\.|\[\s*["']))?([\w.]{1,100})[^{}]{0,100}\}\}/g, '{{$1}}');
}

class Reader {
  readonly kept = new postman.KeptValues();
  /** Variables of the folders around the item that is read, the outer ones first. */
  private folders: readonly (readonly postman.Pair[])[] = [];

  /** Returns the items of version 4, which lists requests without nesting and refers to folders by id. */
  readOldItems(resources: readonly unknown[]): (postman.Folder | postman.Request)[] {
    const all = resources.filter((one) => /^(?:request|request_group|websocket_request|grpc_request)$/.test(textAt(one, '_type') ?? ''));
    const byParent = Map.groupBy(all, (one) => textAt(one, 'parentId') ?? '');
    const ids = new Set(all.map((one) => textAt(one, '_id') ?? ''));
    const itemsBelow = (parent: string, depth: number): (postman.Folder | postman.Request)[] =>
      (byParent.get(parent) ?? [])
        .toSorted((one, other) => (numberAt(one, 'metaSortKey') ?? 0) - (numberAt(other, 'metaSortKey') ?? 0))
        .map((one) => {
          if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
          const id = textAt(one, '_id') ?? '';
          return textAt(one, '_type') === 'request_group' ? this.buildFolder(one, () => itemsBelow(id, depth + 1)) : this.request(one, id);
        });
    return [...byParent.keys()].filter((parent) => !ids.has(parent)).flatMap((parent) => itemsBelow(parent, 0));
  }

  readItems(list: readonly unknown[], depth: number): (postman.Folder | postman.Request)[] {
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    return list.map((one) => {
      const children = valueAtPath(one, 'children');
      return Array.isArray(children)
        ? this.buildFolder(one, () => this.readItems(children, depth + 1))
        : this.request(one, textAt(one, 'meta', 'id') ?? '');
    });
  }

  private buildFolder(one: unknown, readItems: () => (postman.Folder | postman.Request)[]): postman.Folder {
    const outer = this.folders;
    this.folders = [...outer, readVariables({ data: valueAtPath(one, 'environment') })];
    const folder = { name: textAt(one, 'name') ?? 'folder', item: readItems(), auth: this.readAuth(valueAtPath(one, 'authentication')) };
    this.folders = outer;
    return folder;
  }

  /** Fills in the variables of folders, which take precedence over variables of environments. */
  private fillIn(text: string): string {
    return this.folders.reduceRight(
      (filled, variables) =>
        variables.reduce((before, { key, value }) => before.replaceAll(`{{${key}}}`, () => value).slice(0, MAX_TEXT_LENGTH), filled),
      text,
    );
  }

  private request(one: unknown, id: string): postman.Request {
    const write = (text: string | null): string => this.write(text ?? '');
    const query = listAt(one, 'parameters')
      .filter(postman.isOn)
      .map((pair) => `${encodeURIComponent(textAt(pair, 'name') ?? '').slice(0, 600)}=${write(textAt(pair, 'value'))}`);
    const url = listAt(one, 'pathParameters').reduce<string>(
      (all, pair) => all.replaceAll(`:${textAt(pair, 'name') ?? '\0'}`, () => write(textAt(pair, 'value'))),
      write(textAt(one, 'url')),
    );
    const auth = this.readAuth(valueAtPath(one, 'authentication'));
    const body = this.readBody(valueAtPath(one, 'body'));
    return postman.readRequest({
      id,
      name: textAt(one, 'name') ?? 'request',
      method: findOtherProtocol(one, url, id) ?? textAt(one, 'method') ?? 'GET',
      url: query.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${query.join('&')}`,
      // Insomnia writes its own User-Agent into each request.
      header: listAt(one, 'headers')
        .filter((header) => (textAt(header, 'name') ?? '') !== '' && !/^insomnia\//i.test(textAt(header, 'value') ?? ''))
        .map((header) => ({ ...postman.readPair(header), value: write(textAt(header, 'value')) })),
      auth,
      body,
      tests: readScript(textAt(one, 'afterResponseScript') ?? textAt(one, 'scripts', 'afterResponse')),
      before: readScript(textAt(one, 'preRequestScript') ?? textAt(one, 'scripts', 'preRequest')),
    });
  }

  private readAuth(block: unknown): unknown {
    const type = textAt(block, 'type');
    if (type === null) return undefined;
    if (valueAtPath(block, 'disabled') === true) return postman.readAuth('none');
    const settings = (...names: readonly string[]): Record<string, string> =>
      Object.fromEntries(names.map((name) => [name, this.write(textAt(block, name) ?? '')]));
    switch (type) {
      case 'bearer':
        return postman.readAuth(type, settings('token'));
      case 'basic':
        return postman.readAuth(type, settings('username', 'password'));
      case 'apikey':
        return postman.readAuth(type, { ...settings('key', 'value'), in: textAt(block, 'addTo') === 'queryParams' ? 'query' : 'header' });
      case 'oauth2':
        return postman.readAuth(type, {
          ...settings('accessToken', 'accessTokenUrl', 'clientId', 'clientSecret', 'scope'),
          grant_type: textAt(block, 'grantType') ?? '',
          client_authentication: textAt(block, 'credentialsInBody') === 'true' ? 'body' : 'header',
        });
      default:
        return postman.readAuth(type);
    }
  }

  private readBody(given: unknown): postman.Body | undefined {
    const type = textAt(given, 'mimeType') ?? '';
    const text = this.write(textAt(given, 'text') ?? '');
    const fields = listAt(given, 'params')
      .filter(postman.isOn)
      .map((one): postman.Field => {
        const pair = { key: textAt(one, 'name') ?? '', value: this.write(textAt(one, 'value') ?? '') };
        return textAt(one, 'type') === 'file' ? { ...pair, type: 'file', src: textAt(one, 'fileName') ?? '' } : pair;
      });
    if (type === 'multipart/form-data') return { mode: 'formdata', formdata: fields };
    if (type === 'application/x-www-form-urlencoded') return { mode: 'urlencoded', urlencoded: fields };
    if (type === 'application/octet-stream') return { mode: 'file', file: { src: textAt(given, 'fileName') ?? '' } };
    if (text === '') return undefined;
    if (type !== 'application/graphql') return postman.textBody(text, /json/i.test(type));
    const graphql = parseJson(text);
    const variables = valueAtPath(graphql, 'variables') ?? {};
    return postman.graphqlBody(textAt(graphql, 'query') ?? text, typeof variables === 'string' ? variables : JSON.stringify(variables));
  }

  /** Converts tags to Postman variables: `{% uuid %}`, `{% now %}`, and parts of an earlier response. */
  private write(text: string): string {
    return this.fillIn(simplifyTemplate(text)).replaceAll(/\{%\s*(\w{1,40})([^{}]{0,1000}?)%\}/g, (_whole, tag: string, given: string) => {
      const args = [...given.matchAll(/'([^']{0,600})'/g)].map(([, arg = '']) => arg);
      if (tag === 'uuid') return '{{$guid}}';
      if (tag === 'timestamp') return '{{$timestamp}}';
      if (tag === 'now') return args[0] === 'unix' || args[0] === 'millis' ? '{{$timestamp}}' : '{{$isoTimestamp}}';
      return tag === 'response' ? this.responsePlaceholder(args) : `{{insomnia_${tag}}}`;
    });
  }

  private responsePlaceholder([part = '', id = '', selector = '']: readonly string[]): string {
    const path = decodeArgument(selector);
    const name = postman.makeVariableName(part, path, 'value');
    if (part === 'header') return this.kept.keep(id, name, postman.keepHeader(name, path));
    if (part === 'body' && path.startsWith('$')) return this.kept.keep(id, name, postman.keepJson(name, path.slice(1)));
    return `{{insomnia_${part || 'response'}}}`;
  }
}

/** Returns the protocol of a gRPC or WebSocket request, recognized by members that only these have; null for HTTP. */
function findOtherProtocol(one: unknown, url: string, id: string): string | null {
  if (valueAtPath(one, 'protoMethodName') !== undefined || id.startsWith('greq_')) return 'GRPC';
  return /^wss?:/i.test(url) || id.startsWith('ws-req_') ? 'WEBSOCKET' : null;
}

/** Decodes `b64::JC50b2tlbg==::46b`, the form in which Insomnia stores tag arguments. */
function decodeArgument(text: string): string {
  const [, coded] = /^b64::([\w+/=]{0,600})::46b$/.exec(text) ?? [];
  try {
    return coded === undefined ? text : atob(coded);
  } catch {
    return text;
  }
}

function readScript(script: string | null): string[] {
  return (script ?? '').split('\n').map((line) => line.replaceAll(/\binsomnia\./g, 'pm.'));
}
