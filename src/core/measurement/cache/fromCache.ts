/**
 * What headers of an answer say of where it came from. Each cache on the way adds its word, so that an answer came from a cache when any of them says
 * so: a near one that had nothing handed the question on, and what a far one says then is of this answer too. docs/monitors.md has the rule
 * for each header.
 */

/** The value of a header, by its name in small letters; null where there is none. Lines of the same name are joined by commas or line feeds. */
export type HeaderOf = (name: string) => string | null;

/** Headers in which caches say in words what they did. */
const WORD_HEADERS = [
  'cf-cache-status',
  'x-cache',
  'x-cache-status',
  'x-proxy-cache',
  'x-fastcgi-cache',
  'x-vercel-cache',
  'x-drupal-cache',
];

/** Every header that is looked at, in small letters. */
export const CACHE_HEADERS: readonly string[] = ['cache-status', ...WORD_HEADERS, 'x-varnish', 'age'];

const HIT = /\b(?:hit|stale|updating|revalidated|refresh_?hit)\b|_hit\b/i;
const MISS = /\b(?:miss|expired|bypass|dynamic|pass|error|none)\b|_miss\b/i;

/** True: from a cache; false: from the server behind; null: the headers do not say, because there is no cache or a silent one. */
export function cameFromCache(headerOf: HeaderOf): boolean | null {
  const said = new Set([
    cacheStatus(headerOf('cache-status')),
    ...WORD_HEADERS.map((name) => inWords(headerOf(name))),
    varnish(headerOf('x-varnish')),
  ]);
  if (said.has(true)) return true;
  if (said.has(false)) return false;
  // Only what lay in a cache has an age above 0. Of 0 s may be what lay there for a moment, and what came just now.
  return (ageSeconds(headerOf) ?? 0) > 0 ? true : null;
}

/** How long ago a cache got the answer; null where nothing says it. */
export function ageSeconds(headerOf: HeaderOf): number | null {
  const [, digits] = /^\s*(\d{1,9})\s*$/.exec(headerOf('age') ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/** RFC 9211: caches with their parameters. `hit` is one that was not asked further, `fwd` says why one asked. */
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

/** `HIT`, `MISS, HIT`, `TCP_MISS from proxy.example`: what stands behind “from” is the name of a machine and no word of the cache. */
function inWords(value: string | null): boolean | null {
  if (value === null) return null;
  const words = hops(value).map((hop) => hop.replace(/\sfrom\s.*/i, ''));
  if (words.some((word) => HIT.test(word))) return true;
  return words.some((word) => MISS.test(word)) ? false : null;
}

/** Varnish writes the number of the request, and behind it the one that fetched the page, if that was another. */
function varnish(value: string | null): boolean | null {
  if (value === null) return null;
  const numbers = hops(value).map((hop) => /^\d+( \d+)?$/.exec(hop));
  if (numbers.some((found) => found?.[1] !== undefined)) return true;
  return numbers.some((found) => found !== null) ? false : null;
}

/** What each cache on the way said. */
function hops(value: string): string[] {
  return value.split(/[,\n]/).map((hop) => hop.trim());
}
