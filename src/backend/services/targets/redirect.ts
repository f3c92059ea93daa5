const LOGIN_PATH = /(^|[/_.-])(log-?_?in|log-?_?on|sign-?_?in|sso|cas|auth|oauth2?|saml2?|session|sessions)([/_.-]|$)/i;
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

export interface Redirect {
  readonly location: string;
  readonly looksLikeLogin: boolean;
}

/**
 * Where an answer sends the visitor. It looks like a login when the path says so, or when the address carries along where the
 * visitor wanted to go (a contest server sends strangers to `/?next=%2Ftasks`). null when the answer is no redirect.
 */
export function redirectOf(status: number, location: string | undefined, from: URL): Redirect | null {
  if (![301, 302, 303, 307, 308].includes(status) || !location) return null;
  if (!URL.canParse(location, from.href)) return { location, looksLikeLogin: false };
  const to = new URL(location, from);
  const carriesReturn = [...to.searchParams.keys()].some((name) => RETURN_PARAMETERS.has(name.toLowerCase()));
  const wasOnLogin = LOGIN_PATH.test(from.pathname);
  return { location: to.href, looksLikeLogin: !wasOnLogin && (LOGIN_PATH.test(to.pathname) || carriesReturn) };
}
