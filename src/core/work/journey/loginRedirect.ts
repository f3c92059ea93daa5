const LOGIN_PATH = /(^|[/_.-])(log-?_?in|log-?_?on|sign-?_?in|sso|cas|auth|oauth2?|saml2?|session|sessions)([/_.-]|$)/i;
/** What sites call a login that failed, where they send the visitor back to the form. */
const FAILED_LOGIN = /^(log_?in|auth|sign_?in)_?(error|failed|failure)$/i;
/** Names under which sites carry along where the visitor wanted to go. */
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
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** The address in a `Location` header that was decoded as Latin-1. Bytes beyond ASCII, mostly UTF-8, are percent-encoded unchanged, as in browsers. */
export function addressInHeader(location: string): string {
  return location.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * The place that a redirect leads to, if its address looks like a login page: by its path, by a parameter with the page that the visitor wanted (a contest
 * server redirects visitors to `/?next=%2Ftasks`), or by a parameter that reports a failed login. The place is the path with the name of that parameter,
 * without values, since these may differ in each response. null for any other address. `/sessions/42` and `/list?from=20` look like a login too, so the page
 * must be checked as well.
 */
export function loginPlace(from: URL, to: URL): string | null {
  const names = parameterNames(to).map((name) => name.toLowerCase());
  const failed = names.find((name) => FAILED_LOGIN.test(name));
  const telling = failed ?? names.find((name) => RETURN_PARAMETERS.has(name));
  const place = telling === undefined ? to.pathname : `${to.pathname}?${telling}`;
  if (failed !== undefined) return place;
  if (LOGIN_PATH.test(from.pathname)) return null;
  return LOGIN_PATH.test(to.pathname) || telling !== undefined ? place : null;
}

/** See {@link loginPlace}. */
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
