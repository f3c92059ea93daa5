import { isBlock } from '#core/base/json.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { valueAtPath, Budget, entriesAt, listAt, numberAt, textAt } from '../reading.ts';
import { type JsonValue, escapePlaceholders, translateJson, valueName } from '../placeholders.ts';
import { percentDecoded } from '../address.ts';
import { describeAskedValue, type Draft } from '../draft.ts';
import { addTokenRequest } from '../clientCredentials.ts';
import type { Login, Pair } from '../requestParts.ts';
import { FIRST_ITEM_NOTE, NO_LOGIN_NOTE } from '../notes.ts';

const MAX_DEPTH = 8;
const MAX_REFERENCES = 30;
/** Maximum number of schemas that are read for an example. The size of recursive schemas would at least double with each level. */
const MAX_SCHEMAS = 2_000;

/** Follows a `$ref` inside the document; returns undefined for an external, circular or missing target. */
export function resolveReference(document: unknown, value: unknown): unknown {
  let location = value;
  for (let followed = 0; followed < MAX_REFERENCES; followed += 1) {
    const reference = isBlock(location) ? textAt(location, '$ref') : null;
    if (reference === null) return location;
    if (!reference.startsWith('#/') || reference.length > 500) return undefined;
    const parts = reference.slice(2).split('/');
    location = valueAtPath(document, ...parts.map((part) => percentDecoded(part).replaceAll('~1', '/').replaceAll('~0', '~')));
  }
  return undefined;
}

/**
 * Returns the example of a value, else the example of its schema, else one generated from its type. Returns null beyond the depth and
 * schema limits. Texts are plan text.
 */
export function readExample(document: unknown, holder: unknown): JsonValue {
  const given = findExample(document, holder);
  if (given !== undefined) return translateJson(given, escapePlaceholders);
  return translateJson(
    exampleOfSchema({ document, budget: new Budget(MAX_SCHEMAS) }, valueAtPath(holder, 'schema') ?? {}, 0),
    escapePlaceholders,
  );
}

/** Returns whether the document contains an example. If not, Holdfast generates one. */
export function hasExample(document: unknown, holder: unknown): boolean {
  return findExample(document, holder) !== undefined;
}

function findExample(document: unknown, holder: unknown): unknown {
  const direct = valueAtPath(holder, 'example');
  if (direct !== undefined) return direct;
  const [named] = entriesAt(holder, 'examples');
  const value = named === undefined ? listAt(holder, 'examples')[0] : valueAtPath(resolveReference(document, named[1]), 'value');
  if (value !== undefined) return value;
  return findWritten(resolveReference(document, valueAtPath(holder, 'schema')));
}

/** Returns the example, default or constant that the schema itself states. */
function findWritten(schema: unknown): unknown {
  return valueAtPath(schema, 'example') ?? listAt(schema, 'examples')[0] ?? valueAtPath(schema, 'default') ?? valueAtPath(schema, 'const');
}

interface ExampleContext {
  readonly document: unknown;
  readonly budget: Budget;
}

function exampleOfSchema(making: ExampleContext, schemaOrReference: unknown, depth: number): unknown {
  const schema = resolveReference(making.document, schemaOrReference);
  if (depth > MAX_DEPTH || !isBlock(schema) || !making.budget.spend(1)) return null;
  const written = findWritten(schema) ?? listAt(schema, 'enum')[0];
  if (written !== undefined) return written;
  const all = listAt(schema, 'allOf');
  if (all.length > 0) {
    const parts = [...all.slice(0, 20).map((part) => exampleOfSchema(making, part, depth + 1)), exampleOfObject(making, schema, depth)];
    return Object.fromEntries(parts.flatMap((part) => (isBlock(part) ? Object.entries(part) : [])));
  }
  const choice = listAt(schema, 'oneOf')[0] ?? listAt(schema, 'anyOf')[0];
  if (choice !== undefined) return exampleOfSchema(making, choice, depth + 1);
  return exampleOfType(making, schema, depth);
}

function exampleOfType(making: ExampleContext, schema: unknown, depth: number): unknown {
  const types = valueAtPath(schema, 'type');
  const type = Array.isArray(types) ? types.find((one) => one !== 'null') : types;
  switch (type) {
    case 'string':
      return (
        getOwn(EXAMPLE_BY_FORMAT, textAt(schema, 'format') ?? '') ??
        'example'.repeat(Math.min(100, Math.max(1, Math.ceil((numberAt(schema, 'minLength') ?? 0) / 7))))
      );
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, numberAt(schema, 'minimum') ?? 1), numberAt(schema, 'maximum') ?? Infinity);
    case 'boolean':
      return true;
    case 'array':
      return [exampleOfSchema(making, valueAtPath(schema, 'items'), depth + 1)];
    default:
      return exampleOfObject(making, schema, depth);
  }
}

function exampleOfObject(making: ExampleContext, schema: unknown, depth: number): unknown {
  const members = entriesAt(schema, 'properties').slice(0, 100);
  const sent = members.filter(([, member]) => valueAtPath(resolveReference(making.document, member), 'readOnly') !== true);
  return Object.fromEntries(sent.map(([name, member]) => [name, exampleOfSchema(making, member, depth + 1)]));
}

const EXAMPLE_BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  uuid: '3f2b1c9e-5d4a-4b6f-8a7c-0e9d8c7b6a51',
  email: 'visitor@example.org',
  uri: 'https://example.org/',
  url: 'https://example.org/',
  ipv4: '192.0.2.7',
  byte: 'ZXhhbXBsZQ==',
};

/** Returns the parameters. Of several with the same location and name, returns only the last. */
export function lastOfEachName(parameters: readonly unknown[]): unknown[] {
  return [...new Map(parameters.map((one) => [`${textAt(one, 'in') ?? ''} ${textAt(one, 'name') ?? ''}`, one])).values()];
}

export interface Access {
  readonly headers: readonly Pair[];
  readonly query: readonly Pair[];
  readonly cookies: readonly string[];
  readonly login: Login | null;
}

/**
 * Returns the credentials of an operation: its first security requirement, with secrets that Holdfast asks for. Adds the request for a
 * token of client credentials. `main`: the origin of the target.
 */
export function readSecurity(draft: Draft, document: unknown, operation: unknown, location: string, main: string): Access {
  const security = valueAtPath(operation, 'security') ?? valueAtPath(document, 'security');
  const headers: Pair[] = [];
  const query: Pair[] = [];
  const cookies: string[] = [];
  let login: Login | null = null;
  for (const [name, scopes] of entriesAt(security, 0)) {
    const scheme = resolveReference(document, valueAtPath(document, 'components', 'securitySchemes', name));
    const type = textAt(scheme, 'type') ?? '';
    const http = (textAt(scheme, 'scheme') ?? '').toLowerCase();
    const where = `components.securitySchemes.${name.slice(0, 60)}`;
    const secret = (kind: string, what: string): string => {
      const label = isOnlyOne(document, scheme) ? kind : `${kind}_${valueName(name).replaceAll('-', '_').toUpperCase()}`;
      draft.noteAssumed(where, 'The server requires authentication.', `${describeAskedValue(label)} The value is ${what}.`);
      return draft.placeholder(label.toLowerCase(), draft.askSecret(label));
    };
    const tokenUrl = type === 'oauth2' ? textAt(scheme, 'flows', 'clientCredentials', 'tokenUrl') : null;
    if (type === 'http' && http === 'basic')
      login = { user: secret('LOGIN_NAME', 'the user name'), password: secret('LOGIN_PASSWORD', 'the password') };
    else if (isToken(type, http)) {
      const client = (): Login => ({ user: secret('CLIENT_ID', 'the id of the client'), password: secret('CLIENT_SECRET', 'its secret') });
      const scope = listAt(scopes).map(String).join(' ').slice(0, 1_000);
      const token = tokenUrl === null ? null : addTokenRequest(draft, { url: tokenUrl, client: client(), scope }, main, where);
      headers.push(['Authorization', `Bearer ${token ?? secret('ACCESS_TOKEN', 'a token')}`]);
    } else if (type === 'apiKey') {
      const key = textAt(scheme, 'name') ?? 'X-Api-Key';
      const sentIn = textAt(scheme, 'in');
      const value = secret('API_KEY', 'the key');
      if (sentIn === 'query') query.push([key.slice(0, 200), value]);
      else if (sentIn === 'cookie') cookies.push(`${key}=${value}`);
      else headers.push([key, value]);
    } else {
      const what = `The login “${name.slice(0, 60)}” (${type.slice(0, 20)} ${http.slice(0, 20)}) has no equivalent.`;
      draft.noteLeftOut(`${location}.security`, what, NO_LOGIN_NOTE);
    }
  }
  if (listAt(operation, 'security').length > 1)
    draft.noteLeftOut(`${location}.security`, 'There are other ways to log in.', FIRST_ITEM_NOTE);
  return { headers, query, cookies, login };
}

function isToken(type: string, http: string): boolean {
  return type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && http === 'bearer');
}

/** Returns whether this is the document's only scheme of its type. If not, each scheme needs its own variable. */
function isOnlyOne(document: unknown, scheme: unknown): boolean {
  const typeOf = (one: unknown): string => {
    const [type, http] = [textAt(one, 'type') ?? '', (textAt(one, 'scheme') ?? '').toLowerCase()];
    return isToken(type, http) ? 'token' : `${type} ${http}`;
  };
  const schemes = entriesAt(document, 'components', 'securitySchemes').map(([, one]) => typeOf(resolveReference(document, one)));
  return schemes.filter((type) => type === typeOf(scheme)).length < 2;
}

const METHOD_PATTERN = /^(?:get|put|post|delete|options|head|patch)$/;
/** Styles of OpenAPI 3 for query lists, by Swagger 2 format. */
const STYLE_BY_FORMAT = new Map([
  ['multi', { style: 'form', explode: true }],
  ['ssv', { style: 'spaceDelimited', explode: false }],
  ['pipes', { style: 'pipeDelimited', explode: false }],
]);

/** Converts a Swagger 2.0 description to OpenAPI 3. Definitions keep their locations, so references remain valid. */
export function asOpenApi(document: unknown): unknown {
  if (!isBlock(document)) return document;
  const host = textAt(document, 'host');
  const base = textAt(document, 'basePath') ?? '';
  const schemes = listAt(document, 'schemes');
  const scheme = schemes.includes('https') ? 'https' : (schemes.find((one) => typeof one === 'string') ?? 'http');
  return {
    ...document,
    servers: [{ url: host === null ? base || '/' : `${String(scheme)}://${host}${base}` }],
    paths: Object.fromEntries(entriesAt(document, 'paths').map(([path, item]) => [path, readItem(document, item)])),
    components: {
      securitySchemes: Object.fromEntries(entriesAt(document, 'securityDefinitions').map(([name, one]) => [name, readScheme(one)])),
    },
  };
}

function readScheme(scheme: unknown): unknown {
  if (textAt(scheme, 'type') === 'basic') return { type: 'http', scheme: 'basic' };
  const tokenUrl = textAt(scheme, 'tokenUrl');
  return textAt(scheme, 'flow') === 'application' && tokenUrl !== null
    ? { type: 'oauth2', flows: { clientCredentials: { tokenUrl } } }
    : scheme;
}

function readItem(document: unknown, written: unknown): unknown {
  const item = resolveReference(document, written);
  if (!isBlock(item)) return written;
  const shared = listAt(item, 'parameters');
  return Object.fromEntries(
    Object.entries(item).flatMap(([key, operation]) => {
      if (key === 'parameters') return [];
      return [[key, METHOD_PATTERN.test(key) && isBlock(operation) ? readOperation(document, operation, shared) : operation] as const];
    }),
  );
}

function readOperation(document: unknown, operation: Readonly<Record<string, unknown>>, shared: readonly unknown[]): unknown {
  const own = [...shared, ...listAt(operation, 'parameters')].map((parameter) => resolveReference(document, parameter) ?? parameter);
  const all = lastOfEachName(own);
  const body = all.find((one) => textAt(one, 'in') === 'body');
  const fields = all.filter((one) => textAt(one, 'in') === 'formData');
  const consumes = [...listAt(operation, 'consumes'), ...listAt(document, 'consumes')].filter((one) => typeof one === 'string');
  const typeLike = (pattern: RegExp): string | undefined => consumes.find((type) => pattern.test(type));
  const form = typeLike(/urlencoded|multipart/) ?? 'application/x-www-form-urlencoded';
  const hasFile = fields.some((one) => textAt(one, 'type') === 'file');
  const properties = Object.fromEntries(fields.map((one) => [textAt(one, 'name') ?? '', readSchema(one)]));
  const type = body === undefined ? (hasFile ? 'multipart/form-data' : form) : (typeLike(/json/) ?? consumes[0] ?? 'application/json');
  const schema = body === undefined ? { type: 'object', properties } : (valueAtPath(body, 'schema') ?? {});
  return {
    ...operation,
    parameters: all.filter((one) => one !== body && !fields.includes(one)).map(parseParameter),
    ...(body === undefined && fields.length === 0 ? {} : { requestBody: { content: { [type]: { schema } } } }),
  };
}

function readSchema(parameter: unknown): unknown {
  return textAt(parameter, 'type') === 'file' ? { type: 'string', format: 'binary' } : parameter;
}

function parseParameter(parameter: unknown): unknown {
  if (!isBlock(parameter) || valueAtPath(parameter, 'schema') !== undefined || valueAtPath(parameter, '$ref') !== undefined)
    return parameter;
  const style = STYLE_BY_FORMAT.get(textAt(parameter, 'collectionFormat') ?? '') ?? {
    style: textAt(parameter, 'in') === 'query' ? 'form' : 'simple',
    explode: false,
  };
  const example = valueAtPath(parameter, 'x-example');
  return {
    name: parameter['name'],
    in: parameter['in'],
    ...(valueAtPath(parameter, 'required') === true ? { required: true } : {}),
    ...style,
    schema: parameter,
    ...(example === undefined ? {} : { example }),
  };
}
