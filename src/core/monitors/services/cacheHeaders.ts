import type { Catalogue } from '../quantity.ts';
import type { MonitorReading } from '../reading.ts';

export const CACHE_HEADERS_CATALOGUE: Catalogue = {
  quantities: [
    { id: 'cacheHeaders.fromCache', words: 'from the cache', unit: 'share', chart: 'Share of answers from the cache' },
    { id: 'cacheHeaders.age', words: 'age', unit: 'ms', chart: 'Age of the answer' },
  ],
};

/** The value of a header, by its name in small letters; null where there is none. */
export type HeaderOf = (name: string) => string | null;

/** Headers in which caches say in words what they did, the one nearest to us first where one holds a list. */
const STATUS_HEADERS = [
  'cf-cache-status',
  'x-cache',
  'x-cache-status',
  'x-proxy-cache',
  'x-fastcgi-cache',
  'x-vercel-cache',
  'x-drupal-cache',
];
const HIT = /\b(?:hit|stale|updating|revalidated|refresh_?hit)\b|_hit\b/i;
const MISS = /\b(?:miss|expired|bypass|dynamic|pass|error|none)\b|_miss\b/i;

/**
 * What the headers of an answer say of where it came from: `cacheHeaders.fromCache` is 1 from a cache, 0 from the server behind, and `age` how
 * long ago a cache got it. null where they say nothing at all: then there may be no cache, or a silent one.
 */
export function readCacheHeaders(headerOf: HeaderOf): MonitorReading | null {
  const age = Number(/^\s*(\d{1,9})\s*$/.exec(headerOf('age') ?? '')?.[1] ?? Number.NaN);
  const said = cacheStatus(headerOf('cache-status')) ?? inWords(headerOf) ?? varnish(headerOf('x-varnish'));
  // An age above 0 has only what lay in a cache; without a word of a cache an age of 0 says no more than that there is one.
  const isHit = said ?? (Number.isNaN(age) ? null : age > 0);
  if (isHit === null) return null;
  return {
    gauges: { 'cacheHeaders.fromCache': isHit ? 1 : 0, ...(Number.isNaN(age) ? {} : { 'cacheHeaders.age': age * 1_000 }) },
    counters: {},
  };
}

/** RFC 9211: a list of caches, the one nearest to us last. A hit in any of them did not reach the server. */
function cacheStatus(value: string | null): boolean | null {
  if (value === null) return null;
  const caches = value.split(',').map((one) =>
    one
      .split(';')
      .slice(1)
      .map((part) => part.trim().toLowerCase()),
  );
  if (caches.some((parts) => parts.includes('hit'))) return true;
  return caches.some((parts) => parts.some((part) => part.startsWith('fwd'))) ? false : null;
}

function inWords(headerOf: HeaderOf): boolean | null {
  for (const name of STATUS_HEADERS) {
    const value = headerOf(name);
    if (value === null) continue;
    if (HIT.test(value)) return true;
    if (MISS.test(value)) return false;
  }
  return null;
}

/** Varnish writes the number of the request, and behind it the one that fetched the page, if that was another. */
function varnish(value: string | null): boolean | null {
  const numbers = /^\s*\d+(\s+\d+)?\s*$/.exec(value ?? '');
  return numbers === null ? null : numbers[1] !== undefined;
}
