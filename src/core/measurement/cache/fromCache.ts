/**
 * Determines from response headers whether a response came from a cache. Each cache on the way adds its status. One hit suffices: a near cache that missed
 * forwards the request, and then the status of a far cache applies. docs/monitors.md has the rule for each header.
 */

/** Returns the value of a header by its lower-case name; null if absent. Lines of the same name are joined by commas or line feeds. */
export type HeaderOf = (name: string) => string | null;

/** Headers in which caches report their status as words. */
const WORD_HEADERS = [
  'cf-cache-status',
  'x-cache',
  'x-cache-status',
  'x-proxy-cache',
  'x-fastcgi-cache',
  'x-vercel-cache',
  'x-drupal-cache',
];

/** All headers that are read, in lower case. */
export const CACHE_HEADERS: readonly string[] = ['cache-status', ...WORD_HEADERS, 'x-varnish', 'age'];

const HIT = /\b(?:hit|stale|updating|revalidated|refresh_?hit)\b|_hit\b/i;
const MISS = /\b(?:miss|expired|bypass|dynamic|pass|error|none)\b|_miss\b/i;

/** Returns true for a cache, false for the server behind it, and null if the headers do not say. */
export function cameFromCache(headerOf: HeaderOf): boolean | null {
  const said = new Set([
    cacheStatus(headerOf('cache-status')),
    ...WORD_HEADERS.map((name) => inWords(headerOf(name))),
    varnish(headerOf('x-varnish')),
  ]);
  if (said.has(true)) return true;
  if (said.has(false)) return false;
  // Only a cached response has an age above 0. An age of 0 s may be a fresh cache entry or a response of the server.
  return (ageSeconds(headerOf) ?? 0) > 0 ? true : null;
}

/** Returns the seconds since the cache stored the response; null if unknown. */
export function ageSeconds(headerOf: HeaderOf): number | null {
  const [, digits] = /^\s*(\d{1,9})\s*$/.exec(headerOf('age') ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/** Parses RFC 9211: caches with parameters. `hit` means served from the cache, `fwd` says why the request was forwarded. */
function cacheStatus(value: string | null): boolean | null {
  if (value === null) return null;
  const parameters = hops(value.replace(QUOTED, '""')).map((hop) =>
    hop
      .toLowerCase()
      .split(';')
      .slice(1)
      .map((part) => part.trim()),
  );
  if (parameters.some((parts) => parts.includes('hit') || parts.includes('hit=?1'))) return true;
  return parameters.some((parts) => parts.some((part) => part.startsWith('fwd'))) ? false : null;
}

/** Parses `HIT`, `MISS, HIT`, `TCP_MISS from proxy.example`. The part after “from” is a machine name and is ignored. */
function inWords(value: string | null): boolean | null {
  if (value === null) return null;
  const words = hops(value).map((hop) => hop.replace(/\sfrom\s.*/i, ''));
  if (words.some((word) => HIT.test(word))) return true;
  return words.some((word) => MISS.test(word)) ? false : null;
}

/** Parses the request number of Varnish, followed by the number of the request that fetched the page if it came from the cache. */
function varnish(value: string | null): boolean | null {
  if (value === null) return null;
  const numbers = hops(value).map((hop) => /^\d+( \d+)?$/.exec(hop));
  if (numbers.some((found) => found?.[1] !== undefined)) return true;
  return numbers.some((found) => found !== null) ? false : null;
}

/** Splits a header into the entries of the caches. */
function hops(value: string): string[] {
  return value.split(/[,\n]/).map((hop) => hop.trim());
}
