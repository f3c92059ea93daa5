const LOGIN_PATH = /(^|[/_.-])(log-?_?in|log-?_?on|sign-?_?in|sso|cas|auth|oauth2?|saml2?|session|sessions)([/_.-]|$)/i;
/** Parameters that report a failed login in a redirect back to the form. */
const FAILED_LOGIN = /^(log_?in|auth|sign_?in)_?(error|failed|failure)$/i;
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
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** Returns the address in a `Location` header decoded as Latin-1. Bytes beyond ASCII, mostly UTF-8, are percent-encoded unchanged, as in browsers. */
export function addressInHeader(location: string): string {
  return location.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns the place of a redirect that looks like a login page: by its path, by a parameter with the page to return to (a contest server redirects to
 * `/?next=%2Ftasks`), or by a parameter that reports a failed login. The place is the path with the parameter name, without values, because these may differ.
 * Returns null for other addresses. `/sessions/42` and `/list?from=20` also look like a login, so the page must be checked as well.
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
