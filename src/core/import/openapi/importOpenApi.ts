import { writeXmlExample } from './xmlBody.ts';
import { isBlock } from '#core/base/json.ts';
import { readAddress } from '../address.ts';
import { Draft, type Method, methodOf, proposeUsers } from '../draft.ts';
import { readSecurity, asOpenApi, readExample, hasExample, lastOfEachName, resolveReference } from './example.ts';
import { type ImportResult, joinListed, refuse } from '../imported.ts';
import { type JsonValue, escapePlaceholders, unescapePlaceholders } from '../placeholders.ts';
import { valueAtPath, entriesAt, listAt, textAt } from '../reading.ts';
import { type Pair, type Payload, stepOf } from '../requestParts.ts';
import { assumeServer, FIRST_ITEM_NOTE, leaveOutOtherServer, STAND_IN_TARGET, LEFT_OUT_NOTE } from '../notes.ts';

interface Operation {
  readonly id: string;
  readonly label: string;
  readonly method: Method;
  readonly path: string;
  readonly location: string;
  readonly written: unknown;
  readonly item: unknown;
  /** Parameters of the path and of the operation; those of the operation take precedence. */
  readonly parameters: readonly unknown[];
}

const OTHER_DOCUMENT_NOTE = 'It is in another document ($ref), which Holdfast does not read.';

/** Makes a plan from an OpenAPI (3.x) or Swagger 2.0 description. `chosen`: ids of operations; null for the operations that only read. */
export function importOpenApi(source: unknown, chosen: readonly string[] | null): ImportResult {
  const draft = new Draft('openapi');
  const document = textAt(source, 'swagger') === null ? source : asOpenApi(source);
  const operations = listOperations(draft, document);
  const reading = operations.filter(({ method }) => method === 'GET' || method === 'HEAD');
  const isChosen = ({ id, label }: Operation): boolean => chosen?.some((one) => one === id || one === label || one === 'all') === true;
  const usual = reading.length > 0 ? reading : operations;
  const taken = chosen === null ? usual : operations.filter(isChosen);
  const unknown = (chosen ?? []).filter((one) => one !== 'all' && !operations.some(({ id, label }) => id === one || label === one));
  const ids = operations.map(({ id }) => id);
  if (unknown.length > 0) {
    const what = `The description has no operation called ${joinListed(unknown, 200)}.`;
    return refuse('NO_SUCH_OPERATION', '', what, `It has: ${joinListed(ids, 1_000)}.`);
  }
  if (chosen === null && taken.length < operations.length) {
    const rest = operations.flatMap((operation) => (taken.includes(operation) ? [] : [operation.id]));
    draft.noteLeftOut(
      'paths',
      `${rest.length === 1 ? '1 operation' : `${rest.length} operations`} may change data: ${joinListed(rest, 300)}.`,
      'The plan uses the read-only operations. If data on the server may change, choose others by name.',
    );
  }
  const main = readServer(draft, document, 'servers');
  const added = new Set<Operation>();
  for (const operation of taken) {
    if (draft.isFullFor(operation.id, operation.location)) continue;
    addOperation(draft, document, operation, main);
    added.add(operation);
  }
  draft.noteAssumed('load', 'A description defines no load.', 'Proposed: ten users who call the operations in turn for a minute.');
  return draft.finish({
    name: textAt(document, 'info', 'title') ?? 'API',
    story: textAt(document, 'info', 'description') ?? '',
    targets: [{ url: `${main.origin}/` }],
    load: proposeUsers(),
    choices: operations.map((operation) => ({ id: operation.id, label: operation.label, isTaken: added.has(operation) })),
  });
}

function listOperations(draft: Draft, document: unknown): Operation[] {
  const ids = new Set<string>();
  return entriesAt(document, 'paths').flatMap(([path, written]) => {
    const where = `paths.${path.slice(0, 80)}`;
    const item = resolveReference(document, written);
    if (item === undefined) draft.noteLeftOut(where, OTHER_DOCUMENT_NOTE);
    return entriesAt(item).flatMap(([key, given]): Operation[] => {
      const location = `${where}.${key}`;
      const method = methodOf(key);
      const operation = method === null ? given : resolveReference(document, given);
      if (method !== null && operation === undefined) draft.noteLeftOut(location, OTHER_DOCUMENT_NOTE);
      if (key === 'trace') draft.noteLeftOut(location, 'Plans do not support the method TRACE.');
      if (method === null || !isBlock(operation)) return [];
      const label = `${method} ${path}`;
      const own = textAt(operation, 'operationId') ?? label;
      const id = ids.has(own) ? label : own;
      ids.add(id);
      const parameters = [item, operation].flatMap((holder) => listAt(holder, 'parameters')).map((one) => resolveReference(document, one));
      if (parameters.includes(undefined)) draft.noteLeftOut(`${location}.parameters`, OTHER_DOCUMENT_NOTE);
      return [{ id, label, method, path, location, written: operation, item, parameters: lastOfEachName(parameters.filter(isBlock)) }];
    });
  });
}

interface Server {
  readonly origin: string;
  readonly basePath: string;
}

/** Returns the first server of a description, path or operation at `location`. `main` is the base of a relative address. */
function readServer(draft: Draft, holder: unknown, location: string, main?: Server): Server {
  const servers = listAt(holder, 'servers');
  const [server] = servers;
  const url = (textAt(server, 'url') ?? '/')
    .slice(0, 2_048)
    .replaceAll(/\{([^{}]{1,100})\}/g, (whole, name: string) => textAt(server, 'variables', name, 'default') ?? whole);
  if (servers.length > 1)
    draft.noteLeftOut(
      location,
      servers.length === 2 ? 'It names another server.' : `It names ${servers.length - 1} other servers.`,
      FIRST_ITEM_NOTE,
    );
  const serverAt = (origin: string, path: string): Server => ({ origin, basePath: (path.split('?', 1)[0] ?? '').replace(/\/$/, '') });
  const address = /^(https?:)?\/\//i.test(url) ? readAddress(url.replace(/^\/\//, 'https://')) : null;
  if (address !== null) return serverAt(address.origin, address.path);
  if (main === undefined) assumeServer(draft, 'servers', 'The description does not name a server.');
  const origin = main?.origin ?? STAND_IN_TARGET;
  const isPath = url.startsWith('/') && (main !== undefined || !url.startsWith('//'));
  const base = isPath || main !== undefined ? readAddress(`${origin}${isPath ? url : `/${url}`}`) : null;
  return serverAt(origin, base?.path ?? '');
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

function addOperation(draft: Draft, document: unknown, operation: Operation, main: Server): void {
  const { location, method, parameters, written, item } = operation;
  const holder = [written, item].find((one) => listAt(one, 'servers').length > 0);
  const { origin, basePath } = holder === undefined ? main : readServer(draft, holder, `${location}.servers`, main);
  const target = draft.targetAt(origin, main.origin);
  if (target === null) return leaveOutOtherServer(draft, location, origin, operation.id);
  const exampleFor = (parameter: unknown): JsonValue => {
    const [, media = parameter] = entriesAt(parameter, 'content')[0] ?? [];
    if (!hasExample(document, media)) {
      const instead = 'The plan uses a generated value of its type. Replace it with one that your server accepts.';
      draft.noteAssumed(`${location}.parameters`, `“${nameOf(parameter).slice(0, 60)}” has no example.`, instead);
    }
    return readExample(document, media);
  };
  const parametersIn = (where: string): readonly unknown[] => parameters.filter((parameter) => textAt(parameter, 'in') === where);
  const requiredParametersIn = (where: string): readonly unknown[] =>
    parametersIn(where).filter((parameter) => valueAtPath(parameter, 'required') === true);
  const pathParameters = new Map(parametersIn('path').map((parameter) => [nameOf(parameter), parameter]));
  const path = operation.path.slice(0, 1_000).replaceAll(/\{([^{}]{1,100})\}/g, (_whole, name: string) => {
    const parameter = pathParameters.get(name);
    return parameter === undefined ? 'example' : pathValue(parameter, name, exampleFor(parameter));
  });
  const optional = parameters.filter((parameter) => valueAtPath(parameter, 'required') !== true && textAt(parameter, 'in') !== 'path');
  if (optional.length > 0)
    draft.noteLeftOut(`${location}.parameters`, `Optional parameters: ${joinListed(optional.map(nameOf), 200)}.`, LEFT_OUT_NOTE);
  const query = requiredParametersIn('query').flatMap((parameter) => queryPairs(parameter, exampleFor(parameter)));
  const headers = requiredParametersIn('header').map((parameter): Pair => [nameOf(parameter), textOf(exampleFor(parameter))]);
  const own = requiredParametersIn('cookie').map((parameter) => `${nameOf(parameter)}=${textOf(exampleFor(parameter))}`);
  const access = readSecurity(draft, document, written, location, main.origin);
  const cookies = [...own, ...access.cookies];
  const payload = hasBody(method) ? readPayload(draft, document, written, location) : { kind: 'none' as const };
  if (!hasBody(method) && valueAtPath(written, 'requestBody') !== undefined)
    draft.noteLeftOut(`${location}.requestBody`, `A ${method} has no body.`, 'It is sent without one.');
  const type = payload.kind === 'text' && !/^application\/json$/i.test(payload.type) ? payload.type : '';
  const pairs = query.filter(([name]) => name !== '');
  // In the `query` of a plan, each name occurs once. Repeated names and encoded separators are therefore put into the path.
  const isPlain = new Set(pairs.map(([name]) => name)).size === pairs.length && pairs.every(([, , isEncoded]) => !isEncoded);
  const inPath = pairs.map(([name, value, isEncoded]) => `${encodeText(name)}=${isEncoded ? value : encodeText(value)}`).join('&');
  const inQuery = isPlain ? pairs.map(([name, value]): Pair => [name, value]) : [];
  const fullPath = escapePlaceholders(`${basePath}${path.startsWith('/') ? '' : '/'}${path}`.replaceAll(/\s/g, '%20')).replace(
    /^\/\//,
    '/.//',
  );
  const step = stepOf(
    draft,
    {
      name: operation.id,
      method,
      target,
      path: `${fullPath}${isPlain ? '' : `?${inPath}`}`,
      headers: [
        ...headers,
        ...access.headers,
        ...(type === '' ? [] : [['Content-Type', type] as const]),
        ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
      ],
      query: [...inQuery, ...access.query.filter(([name]) => name !== '')],
      login: access.login,
      payload,
    },
    location,
    { header: '.parameters', body: '.requestBody' },
  );
  draft.addStep(step, location);
}

function nameOf(parameter: unknown): string {
  return textAt(parameter, 'name') ?? '';
}

function encodeText(text: string): string {
  return encodeURIComponent(unescapePlaceholders(text).toWellFormed().slice(0, 500));
}

/** Name, value, and whether the value is already encoded. */
type QueryPair = readonly [name: string, value: string, isEncoded: boolean];

/** Returns a query parameter in its style (OpenAPI 3.1, “Style Values”); the default is `form` with `explode`. */
function queryPairs(parameter: unknown, value: JsonValue): QueryPair[] {
  const name = (textAt(parameter, 'name') ?? '').slice(0, 200);
  const style = textAt(parameter, 'style') ?? 'form';
  const isExploded =
    valueAtPath(parameter, 'explode') !== false &&
    (style === 'form' || style === 'deepObject' || valueAtPath(parameter, 'explode') === true);
  // A value with its own media type is one text.
  if (typeof value !== 'object' || value === null || valueAtPath(parameter, 'content') !== undefined) return [[name, textOf(value), false]];
  const members = Array.isArray(value) ? null : Object.entries(value);
  if (style === 'deepObject' && members !== null)
    return members.map(([member, one]) => [`${name}[${unescapePlaceholders(member)}]`.slice(0, 200), textOf(one), false]);
  if (isExploded)
    return members === null
      ? (value as JsonValue[]).map((item) => [name, textOf(item), false])
      : members.map(([member, one]) => [unescapePlaceholders(member).slice(0, 200), textOf(one), false]);
  const parts = (members === null ? (value as JsonValue[]) : members.flat()).map((part) => encodeText(textOf(part)));
  const between = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
  return [[name, parts.join(between), true]];
}

/**
 * Returns a path parameter in its style (OpenAPI 3.1, “Style Values”; RFC 6570, 3.2): `simple` 3,4,5, `label` .3.4.5, `matrix` ;name=3,4,5.
 */
function pathValue(parameter: unknown, name: string, value: JsonValue): string {
  const text = (part: unknown): string => encodeURIComponent(unescapePlaceholders(textOf(part)).toWellFormed().slice(0, 200));
  const isExploded = valueAtPath(parameter, 'explode') === true;
  const joinValues = (between: string): string => {
    if (Array.isArray(value)) return value.map(text).join(between);
    const members = entriesAt(value).map(([member, one]) => `${text(member)}${isExploded ? '=' : ','}${text(one)}`);
    return isBlock(value) ? members.join(between) : text(value);
  };
  switch (textAt(parameter, 'style')) {
    case 'label':
      return `.${joinValues(isExploded ? '.' : ',')}`;
    case 'matrix':
      if (!isExploded || typeof value !== 'object' || value === null) return `;${text(name)}=${joinValues(',')}`;
      return Array.isArray(value) ? value.map((one) => `;${text(name)}=${text(one)}`).join('') : `;${joinValues(';')}`;
    default:
      return joinValues(',');
  }
}

/** Returns whether a schema is a file: in OpenAPI 3.0 by its format, in 3.1 by a media type without an encoding. */
function isFileSchema(schema: unknown): boolean {
  if (textAt(schema, 'format') === 'binary') return true;
  return valueAtPath(schema, 'contentMediaType') !== undefined && valueAtPath(schema, 'contentEncoding') === undefined;
}

/** Returns whether a method may have a body; OpenAPI ignores it for others (3.0.4, 4.8.10). */
function hasBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function readPayload(draft: Draft, document: unknown, operation: unknown, location: string): Payload {
  const body = resolveReference(document, valueAtPath(operation, 'requestBody'));
  const contents = entriesAt(body, 'content');
  const found =
    contents.find(([type]) => /[/+]json\b/i.test(type)) ?? contents.find(([type]) => /urlencoded|multipart/i.test(type)) ?? contents[0];
  if (found === undefined) return { kind: 'none' };
  const [type, media] = found;
  const others = contents.flatMap(([one]) => (one === type ? [] : [one]));
  if (others.length > 0) draft.noteLeftOut(`${location}.requestBody`, `The body may also be sent as ${joinListed(others, 120)}.`);
  if (!hasExample(document, media)) {
    const instead = 'The plan uses a body generated from the schema. Replace it with one that your server accepts.';
    draft.noteAssumed(`${location}.requestBody`, 'The body has no example.', instead);
  }
  const example = readExample(document, media);
  if (/json/i.test(type)) return { kind: 'text', text: JSON.stringify(example), type, isTemplate: true };
  const fields = isBlock(example) ? Object.entries(example).map(([name, value]) => [name, textOf(value)] as const) : [];
  if (/x-www-form-urlencoded/i.test(type)) return { kind: 'form', fields };
  if (/[/+]xml\b/i.test(type) && typeof example === 'object')
    return { kind: 'text', text: writeXmlExample(document, valueAtPath(media, 'schema'), example), type, isTemplate: true };
  if (!/multipart/i.test(type)) return { kind: 'text', text: textOf(example), type, isTemplate: true };
  const schema = resolveReference(document, valueAtPath(media, 'schema'));
  return {
    kind: 'multipart',
    parts: fields.map(([name, value]) => {
      const property = resolveReference(document, valueAtPath(schema, 'properties', name));
      const isFile = isFileSchema(property) || isFileSchema(resolveReference(document, valueAtPath(property, 'items')));
      return isFile ? { name, bytes: 1_000, fileName: 'file' } : { name, value };
    }),
  };
}
