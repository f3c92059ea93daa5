import { isSecretHeader } from '#core/plan/secretShapes.ts';
import { isBlock, parseJson } from '#core/base/json.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import { readAddress } from '../address.ts';
import { addTokenRequest } from '../clientCredentials.ts';
import { describeAskedValue, Draft, withoutNulls, methodOf, proposeUsers } from '../draft.ts';
import { type ImportResult, refuse, refuseEnvironment } from '../imported.ts';
import type { Environment } from '../collections/collection.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { valueAtPath, blocksAt, listAt, textAt } from '../reading.ts';
import { FOLLOW_REDIRECTS, type Login, type Pair, type Pairs, type Part, partType, type Payload, stepOf } from '../requestParts.ts';
import { readScripts } from './scripts.ts';
import { Values } from './values.ts';
import {
  assumeServer,
  CODE_NOTE,
  leaveOutOtherServer,
  REQUEST_LEFT_OUT_NOTE,
  NO_LOGIN_NOTE,
  STAND_IN_TARGET,
  LEFT_OUT_NOTE,
  noteUnknownLogin,
  noteUnknownMethod,
  describeMissingAddress,
} from '../notes.ts';

const MAX_DEPTH = 30;

interface PostmanItem {
  readonly item: unknown;
  readonly location: string;
  readonly folders: readonly string[];
  readonly auth: unknown;
}

/** A collection of any client, converted to the form of Postman’s. */
export interface Collection {
  readonly kind: string;
  readonly client: string;
  readonly name: string;
  readonly story?: string;
  readonly items: readonly unknown[];
  readonly variables: readonly unknown[];
  readonly auth?: unknown;
  /** The collection document, which may have scripts of its own. */
  readonly whole?: unknown;
  readonly environments: readonly Environment[];
  readonly chosen: string | null;
}

/** Makes a plan from a Postman collection (2.0, 2.1), with any environments that were exported beside it. */
export function importPostman(documents: readonly unknown[], chosen: string | null): ImportResult {
  const exported = documents.find(isCollection);
  // Exports by Postman’s API wrap the collection in another object.
  const collection = isBlock(valueAtPath(exported, 'collection')) ? valueAtPath(exported, 'collection') : exported;
  return importCollection({
    kind: 'postman',
    client: 'Postman',
    name: textAt(collection, 'info', 'name') ?? 'Postman collection',
    story: textAt(collection, 'info', 'description') ?? '',
    items: listAt(collection, 'item'),
    variables: listAt(collection, 'variable'),
    auth: valueAtPath(collection, 'auth'),
    whole: collection,
    environments: documents.filter(isEnvironment).map((one) => ({
      name: textAt(one, 'name') ?? 'environment',
      values: listAt(one, 'values').map((pair) => ({
        key: textAt(pair, 'key') ?? '',
        value: textAt(pair, 'value') ?? '',
        disabled: valueAtPath(pair, 'enabled') === false,
      })),
    })),
    chosen,
  });
}

export function isCollection(document: unknown): boolean {
  const has = (name: string): boolean => valueAtPath(document, name) !== undefined;
  return (has('item') && has('info')) || valueAtPath(document, 'collection', 'item') !== undefined;
}

/** Returns whether a document is a Postman environment or globals export. */
export function isEnvironment(document: unknown): boolean {
  return (
    Array.isArray(valueAtPath(document, 'values')) &&
    (valueAtPath(document, '_postman_variable_scope') !== undefined || textAt(document, 'name') !== null)
  );
}

export function importCollection(collection: Collection): ImportResult {
  const draft = new Draft(collection.kind);
  const { environments, chosen } = collection;
  const used = chosen === null ? environments[0] : environments.find(({ name }) => name === chosen);
  if (chosen !== null && used === undefined) {
    const what = `There is no environment called ${chosen.slice(0, 60)}.`;
    if (environments.length > 0)
      return refuseEnvironment(
        what,
        environments.map(({ name }) => name),
      );
    return refuse('NO_SUCH_ENVIRONMENT', '', what, `${collection.client} exports it to a file of its own: import both.`);
  }
  if (chosen === null && environments.length > 1)
    draft.noteAssumed('environments', `There are ${environments.length} environments.`, `“${used?.name.slice(0, 60) ?? ''}” was used.`);
  const values = new Values(draft, collection.client, [...collection.variables, ...(used?.values ?? [])]);
  const found = readRequests(draft, collection.items, 'item', [], collection.auth, 0);
  readScripts(draft, values, collection.whole, 'collection');
  const origin = originOf(draft, values, collection.client, found);
  for (const request of found) addRequest(draft, values, request, { origin, client: collection.client });
  draft.noteAssumed('load', 'A collection defines no load.', 'Proposed: ten users who repeat its requests for a minute.');
  const choices = environments.map(({ name }) => ({ id: name, label: name.slice(0, 80), isTaken: name === used?.name }));
  return draft.finish({
    name: collection.name,
    ...withoutNulls({ story: collection.story }),
    targets: [{ url: `${origin}/` }],
    load: proposeUsers({ kind: 'fixed', seconds: 1 }),
    settings: { cookies: draft.tokens.size === 0 ? 'journey' : 'user' },
    ...(choices.length < 2 ? {} : { choices, chooses: 'environment' }),
  });
}

/** The server for requests that name none, and the client’s name for notes. */
interface RequestDefaults {
  readonly origin: string;
  readonly client: string;
}

function readRequests(
  draft: Draft,
  items: readonly unknown[],
  location: string,
  folders: readonly string[],
  auth: unknown,
  depth: number,
): PostmanItem[] {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  return items.flatMap((item, index): PostmanItem[] => {
    const itemLocation = textAt(item, 'location') ?? `${location}[${index}]`;
    const own = valueAtPath(item, 'auth') ?? auth;
    const inner = valueAtPath(item, 'item');
    if (!Array.isArray(inner))
      return valueAtPath(item, 'request') === undefined
        ? []
        : [{ item, location: itemLocation, folders, auth: valueAtPath(item, 'request', 'auth') ?? own }];
    const lines = listAt(item, 'event').flatMap((event) => listAt(event, 'script', 'exec'));
    if (lines.some((line) => typeof line === 'string' && line.trim() !== ''))
      draft.noteLeftOut(`${itemLocation}.event`, 'A folder has its own scripts.', CODE_NOTE);
    return readRequests(draft, inner, `${itemLocation}.item`, [...folders, textAt(item, 'name') ?? 'folder'], own, depth + 1);
  });
}

function urlOf(request: unknown): string {
  const url = typeof request === 'string' ? request : (textAt(request, 'url') ?? textAt(request, 'url', 'raw'));
  if (url !== null) return url;
  // Collections written by other tools contain only the parts of an address.
  const host = textAt(request, 'url', 'host') ?? listAt(request, 'url', 'host').map(String).join('.');
  const parts = listAt(request, 'url', 'path').map((part) => (isBlock(part) ? (textAt(part, 'value') ?? '') : String(part)));
  const path = (textAt(request, 'url', 'path') ?? parts.join('/')).replace(/^\//, '');
  const query = listAt(request, 'url', 'query')
    .filter((one) => valueAtPath(one, 'disabled') !== true)
    .map((one) => `${textAt(one, 'key') ?? ''}=${textAt(one, 'value') ?? ''}`)
    .join('&');
  const protocol = textAt(request, 'url', 'protocol')?.replace(/:?\/*$/, '') ?? (host.startsWith('{{') ? null : 'http');
  const port = textAt(request, 'url', 'port') ?? '';
  return `${protocol === null ? '' : `${protocol}://`}${host}${port === '' ? '' : `:${port}`}/${path}${query === '' ? '' : `?${query}`}`;
}

/** Returns the server to which most requests are sent. */
function originOf(draft: Draft, values: Values, client: string, found: readonly PostmanItem[]): string {
  const counts = new Map<string, number>();
  for (const { item } of found) {
    const origin = addressParts(values.plain(urlOf(valueAtPath(item, 'request'))))?.origin;
    if (origin !== undefined && origin !== null) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  }
  const [mostFrequent] = [...counts].toSorted((one, other) => other[1] - one[1]);
  if (mostFrequent !== undefined) return mostFrequent[0];
  const where = client === 'Postman' ? 'The address is in a Postman environment: import both files.' : 'The address is in an environment.';
  assumeServer(draft, 'url', `The collection does not name its server. ${where}`);
  return STAND_IN_TARGET;
}

/** Splits an address. `origin` is null if it is a variable without a value. */
function addressParts(url: string): { origin: string | null; rest: string } | null {
  const [, base = '', rest = ''] = /^((?:https?:\/\/)?[^/?#]*)(.*)$/is.exec(url.trim()) ?? [];
  if (base.includes('{{')) return { origin: null, rest };
  // `ftp:` and other schemes are not host names.
  if (/^(?!https?:)[a-z][a-z\d+.-]*:$/i.test(base)) return null;
  const address = base === '' ? null : readAddress(base);
  return address === null ? null : { origin: address.origin, rest };
}

function addRequest(
  draft: Draft,
  values: Values,
  { item, location, folders, auth }: PostmanItem,
  { origin, client }: RequestDefaults,
): void {
  values.startRequest();
  const request = valueAtPath(item, 'request');
  const written = urlOf(request);
  // Variables of the server are replaced; those of the path are kept.
  const [, head = '', tail = ''] = /^((?:https?:\/\/)?[^/?#]*)(.*)$/is.exec(written.trim()) ?? [];
  const base = addressParts(values.plain(head));
  const method = methodOf(textAt(request, 'method') ?? 'GET');
  const name = [...folders, textAt(item, 'name') ?? `request ${location}`].join(' › ');
  if (base === null || method === null)
    return draft.noteLeftOut(
      location,
      base === null ? describeMissingAddress(name) : noteUnknownMethod(textAt(request, 'method') ?? ''),
      REQUEST_LEFT_OUT_NOTE,
    );
  if (draft.isFullFor(name, location)) return;
  const target = draft.targetAt(base.origin ?? origin, origin);
  if (target === null) return leaveOutOtherServer(draft, location, base.origin ?? origin, name);
  if (base.origin === null && origin !== STAND_IN_TARGET)
    draft.noteAssumed(location, `${head.slice(0, 60)} has no value in the collection.`, `The request is sent to ${new URL(origin).host}.`);
  const [bare = ''] = `${base.rest.replace(/\/$/, '')}${tail}`.split('#', 1);
  const filled = pathVariables(request, bare.startsWith('/') ? bare : `/${bare}`);
  const [unfilled] = /(?<=\/):[A-Za-z]\w{0,60}(?=[/?]|$)/.exec(filled) ?? [];
  if (unfilled !== undefined)
    draft.noteAssumed(location, `The path variable ${unfilled} has no value.`, 'The plan sends its name. Replace it with a value.');
  const path = values.write(filled).replaceAll(' ', '%20');
  const disabled = [...listAt(request, 'header'), ...listAt(request, 'url', 'query')].filter(
    (one) => valueAtPath(one, 'disabled') === true,
  ).length;
  const areDisabled = disabled === 1 ? 'A header or parameter is' : `${disabled} headers and parameters are`;
  if (disabled > 0) draft.noteLeftOut(location, `${areDisabled} disabled in ${client}.`, disabled === 1 ? undefined : LEFT_OUT_NOTE);
  const access = readAuth(draft, values, auth, location, origin);
  const headers = listAt(request, 'header').flatMap((header): Pair[] =>
    valueAtPath(header, 'disabled') === true ? [] : [[textAt(header, 'key') ?? '', values.write(textAt(header, 'value') ?? '')]],
  );
  const sent = [...headers, ...access.headers].filter(([key]) => key !== '');
  const step = stepOf(
    draft,
    {
      name,
      method,
      target,
      path: path.slice(0, 2_048),
      payload: readPayload(draft, values, request, sent, location),
      headers: sent,
      login: access.login ?? null,
      query: access.query,
      ...readScripts(draft, values, item, location),
      ...(valueAtPath(item, 'protocolProfileBehavior', 'followRedirects') === false ? {} : { redirects: FOLLOW_REDIRECTS }),
    },
    location,
    { header: '.request.header', body: '.request.body', url: '.request.url' },
  );
  draft.addStep(step, location);
}

/** Replaces path variables such as `/users/:id` by their values. */
function pathVariables(request: unknown, path: string): string {
  // Collections of version 2.0 name path variables by `id`.
  const values = new Map(
    listAt(request, 'url', 'variable').map((one) => [textAt(one, 'key') ?? textAt(one, 'id') ?? '', textAt(one, 'value') ?? '']),
  );
  const [pathname = '', ...query] = path.split('?');
  const filled = pathname
    .split('/')
    .map((part) => (part.startsWith(':') ? (values.get(part.slice(1)) ?? part) : part))
    .join('/');
  return [filled, ...query].join('?');
}

interface Access {
  readonly headers: Pairs;
  readonly login?: Login;
  readonly query: Pairs;
}

function readAuth(draft: Draft, values: Values, auth: unknown, location: string, origin: string): Access {
  const type = textAt(auth, 'type') ?? 'noauth';
  const settings = valueAtPath(auth, type);
  const setting = (key: string): string => {
    const found = listAt(settings).find((one) => textAt(one, 'key') === key);
    return (found === undefined ? textAt(settings, key) : textAt(found, 'value')) ?? '';
  };
  const header = (value: string, name = 'Authorization'): Access => ({ headers: [[name, value]], query: [] });
  const askForValue = (name: string, what: string, instead: string): string => {
    const placeholder = draft.placeholder(name.toLowerCase(), draft.askSecret(name));
    draft.noteChanged(`${location}.auth`, what, `${describeAskedValue(name)} ${instead}`);
    return placeholder;
  };
  switch (type) {
    case 'noauth':
      return { headers: [], query: [] };
    case 'bearer':
      return header(`Bearer ${values.write(setting('token'))}`);
    case 'basic': {
      const login = { user: values.write(setting('username')), password: values.write(setting('password')) };
      return { headers: [], login, query: [] };
    }
    case 'apikey': {
      const [name, value] = [setting('key') || 'X-Api-Key', values.write(setting('value'))];
      // A header that is named like a secret becomes a reference anyway.
      const isInQuery = setting('in') === 'query';
      const isOpen = value !== '' && !hasPlaceholders(value) && (isInQuery || !isSecretHeader(name, value));
      const kept = isOpen ? draft.secretVariable(name, value, `${location}.auth`) : value;
      return isInQuery ? { headers: [], query: [[name.slice(0, 200), kept]] } : header(kept, name);
    }
    case 'oauth2': {
      const token = setting('accessToken');
      if (token !== '') return header(`Bearer ${values.write(token)}`);
      const url = values.plain(setting('accessTokenUrl'));
      const tokenRequest =
        setting('grant_type') === 'client_credentials' && /^https?:\/\//i.test(url)
          ? addTokenRequest(
              draft,
              {
                url,
                client: { user: values.write(setting('clientId')), password: values.write(setting('clientSecret')) },
                scope: values.write(setting('scope')),
                isInBody: setting('client_authentication') === 'body',
              },
              origin,
              `${location}.auth`,
            )
          : null;
      if (tokenRequest !== null) return header(`Bearer ${tokenRequest}`);
      const instead = 'Or add the token request as a step, with a capture.';
      return header(`Bearer ${askForValue('ACCESS_TOKEN', 'A token is fetched by OAuth 2.', instead)}`);
    }
    default:
      draft.noteLeftOut(`${location}.auth`, noteUnknownLogin(type), NO_LOGIN_NOTE);
      return { headers: [], query: [] };
  }
}

/** Returns the body of a request. Adds the content type of JSON to the headers if they have none. */
function readPayload(draft: Draft, values: Values, request: unknown, headers: Pair[], location: string): Payload {
  const body = valueAtPath(request, 'body');
  const write = (text: string): string => values.write(text);
  if (!isBlock(body) || valueAtPath(body, 'disabled') === true) return { kind: 'none' };
  const fields = (list: string): readonly unknown[] =>
    listAt(body, list).filter((one) => valueAtPath(one, 'disabled') !== true && (textAt(one, 'key') ?? '') !== '');
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  const jsonPayload = (text: string): Payload => {
    if (type === '') headers.push(['Content-Type', 'application/json']);
    return { kind: 'text', text, type: type || 'application/json', isTemplate: true };
  };
  switch (textAt(body, 'mode')) {
    case 'raw': {
      const raw = textAt(body, 'raw') ?? '';
      if (raw === '') return { kind: 'none' };
      const language = textAt(body, 'options', 'raw', 'language');
      const isJson = language === 'json' || (language === null && parseJson(raw) !== undefined && /^\s*[[{]/.test(raw));
      return isJson ? jsonPayload(write(raw)) : { kind: 'text', text: write(raw), type, isTemplate: true };
    }
    case 'urlencoded':
      return { kind: 'form', fields: fields('urlencoded').map((one) => [textAt(one, 'key') ?? '', write(textAt(one, 'value') ?? '')]) };
    case 'formdata':
      return { kind: 'multipart', parts: fields('formdata').flatMap((one) => readParts(draft, write, one, `${location}.request.body`)) };
    case 'file': {
      const path = textAt(body, 'file', 'src');
      if (path !== null) return { kind: 'file', path };
      draft.noteLeftOut(
        `${location}.request.body`,
        'The body is a file that the collection does not name.',
        'The request is sent without it.',
      );
      return { kind: 'none' };
    }
    case 'graphql': {
      const query = write(textAt(body, 'graphql', 'query') ?? '');
      const written = textAt(body, 'graphql', 'variables')?.trim() ?? '';
      const variables = written === '' ? {} : parseJson(write(written));
      if (variables === undefined)
        draft.noteLeftOut(`${location}.request.body`, 'The variables of a GraphQL operation are not valid JSON.');
      return jsonPayload(JSON.stringify({ query, variables: variables ?? {} }));
    }
    default:
      return { kind: 'none' };
  }
}

function readParts(draft: Draft, write: (text: string) => string, one: unknown, location: string): Part[] {
  const name = escapePlaceholders(textAt(one, 'key') ?? 'part');
  const type = partType(draft, textAt(one, 'contentType'), location);
  if (textAt(one, 'type') !== 'file') return [{ name, value: write(textAt(one, 'value') ?? ''), ...type }];
  const paths = blocksAt(one, 'src').flatMap((path) => (typeof path === 'string' && path !== '' ? [path] : []));
  if (paths.length > 0) return paths.map((path) => ({ name, file: path.slice(0, 1_000), ...type }));
  draft.noteChanged(
    location,
    'It sends a file that the collection does not name.',
    'Generated content of 1,000 bytes is sent. To send your own, write file: PATH.',
  );
  return [{ name, bytes: 1_000, fileName: 'file' }];
}
