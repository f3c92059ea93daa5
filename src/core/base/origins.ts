/**
 * Where credentials would be sent, compared with the address that they were given for. `same`: the same origin (RFC 6454: scheme, host and
 * port). `sameSite`: another origin of the same site. `downgrade`: unencrypted although given for https. `elsewhere`: another site.
 */
export type OriginRelation = 'same' | 'sameSite' | 'downgrade' | 'elsewhere';

/**
 * Decides whether credentials (names, passwords, cookies, headers, client certificates) for `original` may be sent to `to`. `same`: yes.
 * `sameSite`: only with a message to the user, because http became https, or “www.” was added or removed, on default ports. Another port
 * may belong to another person.
 */
export function compareOrigins(original: URL, to: URL): OriginRelation {
  if (!isWeb(original) || !isWeb(to)) return 'elsewhere';
  if (original.origin === to.origin) return 'same';
  if (original.hostname !== to.hostname && !isAlias(original.hostname, to.hostname)) return 'elsewhere';
  if (original.protocol === 'https:' && to.protocol === 'http:') return 'downgrade';
  return original.port === '' && to.port === '' ? 'sameSite' : 'elsewhere';
}

export function isSameOrigin(one: URL, other: URL): boolean {
  return compareOrigins(one, other) === 'same';
}

/**
 * Returns the `Referer` header to `to` from the page `from`: nothing to another origin, and never a query, which may contain a password.
 * null if omitted. User information and fragments are never part of it (RFC 9110, 10.1.3).
 */
export function refererFor(to: URL, from: URL): string | null {
  return isSameOrigin(from, to) ? from.origin + from.pathname : null;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** Returns whether two host names differ only by “www.”. A name without a dot has no alias. */
function isAlias(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long === `www.${short}` && short.includes('.');
}

export function portProblem(port: number | string): string {
  return `There is no port ${port}.`;
}
