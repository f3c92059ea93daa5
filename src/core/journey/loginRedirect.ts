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

/**
 * Whether a redirect sends the visitor to a login page: the path says so, or the address carries along where the visitor wanted to go (a contest
 * server sends strangers to `/?next=%2Ftasks`), or it says that a login failed.
 */
export function leadsToLogin(from: URL, to: URL): boolean {
  const names = parameterNames(to);
  if (names.some((name) => FAILED_LOGIN.test(name))) return true;
  if (LOGIN_PATH.test(from.pathname)) return false;
  return LOGIN_PATH.test(to.pathname) || names.some((name) => RETURN_PARAMETERS.has(name.toLowerCase()));
}

function parameterNames({ search }: URL): string[] {
  return search
    .slice(1)
    .split('&')
    .map((pair) => pair.split('=', 1)[0] ?? '')
    .filter((name) => name !== '');
}
