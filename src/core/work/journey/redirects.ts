import { decodePart } from '#core/plan/url.ts';
const LOGIN_PATH_PATTERN = /(^|[/_.-])(log-?_?in|log-?_?on|sign-?_?in|sso|cas|auth|oauth2?|saml2?|session|sessions)([/_.-]|$)/i;
/** Matches parameters that report a failed login in a redirect back to the form. */
const FAILED_LOGIN_PATTERN = /^(log_?in|auth|sign_?in)_?(error|failed|failure)$/i;
/** Parameters that contain the page to return to. */
const RETURN_PARAMETERS = new Set([
  'next',
  'came_from',
  'continue',
  'dest',
  'destination',
  'goto',
  'redirect',
  'redirect_to',
  'redirect_uri',
  'return',
  'returnto',
  'return_to',
  'returnurl',
  'return_url',
  'service',
  'target',
  'url',
  'referer',
  'from',
]);
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return REDIRECT_STATUSES.has(status);
}

/**
 * Returns the address in a `Location` header that was decoded as Latin-1. Bytes beyond ASCII, mostly UTF-8, are percent-encoded unchanged,
 * as in browsers.
 */
export function addressInHeader(location: string): string {
  return location.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns the place of a redirect that looks like one to a login page: by its path, by a parameter with the page to return to (a contest
 * server redirects to `/?next=%2Ftasks`), or by a parameter that reports a failed login. The place is the path with the parameter name,
 * without values, because these may differ. Returns null for other addresses. `/sessions/42` and `/list?from=20` also look like a login, so
 * the page must be checked, too.
 */
export function loginPlace(from: URL, to: URL): string | null {
  const names = parameterNames(to).map((name) => name.toLowerCase());
  const failed = names.find((name) => FAILED_LOGIN_PATTERN.test(name));
  const telling = failed ?? names.find((name) => RETURN_PARAMETERS.has(name));
  const place = telling === undefined ? to.pathname : `${to.pathname}?${telling}`;
  if (failed !== undefined) return place;
  if (LOGIN_PATH_PATTERN.test(from.pathname)) return null;
  return LOGIN_PATH_PATTERN.test(to.pathname) || telling !== undefined ? place : null;
}

/** Returns whether a redirect looks like one to a login page: see {@link loginPlace}. */
export function looksLikeLogin(from: URL, to: URL): boolean {
  return loginPlace(from, to) !== null;
}

function parameterNames({ search }: URL): string[] {
  return search
    .slice(1)
    .split('&')
    .map((pair) => pair.split('=', 1)[0] ?? '')
    .filter((name) => name !== '');
}

/** One part of an address: the texts between its wildcards. */
type Part = readonly string[];

/**
 * Expected target of a redirect: path and query in which `*` matches any text within one part. `/issues/*` matches an issue page but not
 * `/issues/42/edit`. Parameters may have any order; a parameter `*` matches any others.
 */
export interface RedirectTarget {
  readonly path: readonly Part[];
  readonly parameters: readonly Part[];
  readonly mayHaveMore: boolean;
}

const WILDCARD = '*';

export function parseRedirectTarget(text: string): RedirectTarget {
  const { path, parameters } = splitAddress(text);
  const pieces = (part: string): Part => part.split(WILDCARD).map(decodePart);
  return {
    path: path.map(pieces),
    parameters: parameters.filter((parameter) => parameter !== WILDCARD).map(pieces),
    mayHaveMore: parameters.includes(WILDCARD),
  };
}

export function matchesTarget({ path, parameters, mayHaveMore }: RedirectTarget, { pathname, search }: URL): boolean {
  const address = splitAddress(pathname + search);
  if (address.path.length !== path.length || !path.every((part, index) => matches(part, address.path[index] ?? ''))) return false;
  const unmatched = [...address.parameters];
  for (const part of parameters) {
    const found = unmatched.findIndex((parameter) => matches(part, parameter));
    if (found < 0) return false;
    unmatched.splice(found, 1);
  }
  return mayHaveMore || unmatched.length === 0;
}

/** Escapes a value for use as part of a target. */
export function encodeForTarget(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll(WILDCARD, '%2A');
}

/**
 * Returns an address with `*` in place of numbers and tokens. Failures are counted by this form, because the values would make too many
 * names.
 */
export function redirectKind({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const { path, parameters } = splitAddress(pathname + search);
  const kinds = path.map((part) => (isVariablePart(part) ? WILDCARD : part));
  const pairs = parameters.map((parameter) => {
    const [name = '', value] = splitPair(parameter);
    return value === null ? name : `${name}=${value === '' || !isVariablePart(value) ? value : WILDCARD}`;
  });
  return `${kinds.join('/')}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

/** Returns whether a part is a number, a token or a title, which differs between pages. */
export function isVariablePart(part: string): boolean {
  return /\d|%/.test(part) || part.length > 24 || part.split(/[-_+]/).length > 3;
}

/** Splits a parameter into its raw name and value; the value is null if there is no equals sign. */
export function splitPair(parameter: string): [name: string, value: string | null] {
  const equals = parameter.indexOf('=');
  return equals < 0 ? [parameter, null] : [parameter.slice(0, equals), parameter.slice(equals + 1)];
}

export function splitAddress(address: string): { readonly path: readonly string[]; readonly parameters: readonly string[] } {
  const question = address.indexOf('?');
  const query = question < 0 ? '' : address.slice(question + 1);
  return {
    path: (question < 0 ? address : address.slice(0, question)).split('/'),
    parameters: query.split('&').filter((parameter) => parameter !== ''),
  };
}

/** Matches text against pieces. A wildcard matches at least one character. Takes one pass, however many wildcards there are. */
function matches(pieces: Part, written: string): boolean {
  const text = decodePart(written);
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, position + 1);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return text.endsWith(last) && text.length - last.length > position;
}
