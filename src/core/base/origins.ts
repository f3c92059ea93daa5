/**
 * Where what was entrusted to one address would go: `same` origin (RFC 6454: scheme, host and port); `told`, to the same site in a way that the
 * person hears of; `downgrade`, unencrypted although it was entrusted to https; `elsewhere`, to somebody else.
 */
export type Passage = 'same' | 'told' | 'downgrade' | 'elsewhere';

/**
 * The one answer to whether credentials (names, passwords, cookies, headers, client certificates) that were meant for `given` may go to `to`.
 * They may to the `same` origin. To `told` they may where a person sees the words: http became https, or “www.” was added or left out, on the
 * ports that these schemes have by themselves, since another port of a host may be another person's.
 */
export function passageOf(given: URL, to: URL): Passage {
  if (!isWeb(given) || !isWeb(to)) return 'elsewhere';
  if (given.origin === to.origin) return 'same';
  if (given.hostname !== to.hostname && !isAlias(given.hostname, to.hostname)) return 'elsewhere';
  if (given.protocol === 'https:' && to.protocol === 'http:') return 'downgrade';
  return given.port === '' && to.port === '' ? 'told' : 'elsewhere';
}

export function isSameOrigin(one: URL, other: URL): boolean {
  return passageOf(one, other) === 'same';
}

/**
 * What `Referer` says to `to` of the page `from`: nothing to another origin, and never a query, in which a form may have put a password; null
 * where it is left out. What stands before an `@` or behind a `#` is no part of it either (RFC 9110, 10.1.3).
 */
export function refererFor(to: URL, from: URL): string | null {
  return isSameOrigin(from, to) ? from.origin + from.pathname : null;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** `example.org` and `www.example.org`; a name without a dot has no such alias. */
function isAlias(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long === `www.${short}` && short.includes('.');
}

export function noPort(port: number | string): string {
  return `There is no port ${port}.`;
}
