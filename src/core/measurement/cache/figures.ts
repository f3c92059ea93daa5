import { z } from 'zod';
import { formatCount, formatMs, formatPercent } from '#core/base/units.ts';
import { responseCount } from '../cellFigures.ts';
import { addCounters, CACHE_COUNTERS, zeroCounters } from '../counters.ts';
import type { CacheCount, Cell, Window } from '../window.ts';

/** Complete responses, successful or not, by their origin as stated in headers: see `cameFromCache`. */
export const cacheFiguresSchema = z.strictObject({
  responded: z.int(),
  fromCache: z.int(),
  /** Number of responses from the server behind the cache. */
  fromServer: z.int(),
  /** Number of responses whose headers state no origin. */
  unsaid: z.int(),
  /** Mean service time of responses from a cache in ms; null if there were none. */
  fromCacheMs: z.number().nullable(),
  fromServerMs: z.number().nullable(),
});
export type CacheFigures = z.infer<typeof cacheFiguresSchema>;

export const cacheResultSchema = z.strictObject({
  /** Figures of the whole run, warm-up included, for comparison with a server's own count. */
  all: cacheFiguresSchema,
  /** Figures of the counted stages, in total and by request. Requests without responses are omitted. */
  counted: cacheFiguresSchema,
  steps: z.array(z.strictObject({ name: z.string(), figures: cacheFiguresSchema })),
});
export type CacheResult = z.infer<typeof cacheResultSchema>;

/** Returns whether a run reports which responses came from a cache. k6 reports no headers. */
export function reportsCache({
  countsCache,
  engine,
}: {
  readonly countsCache?: boolean | undefined;
  readonly engine?: string | undefined;
}): boolean {
  return countsCache === true && engine !== 'k6';
}

export function computeCacheFigures(cell: Cell): CacheFigures {
  return computeFigures(responseCount(cell), cell.cache ?? zeroCounters(CACHE_COUNTERS));
}

/** Sums the origins of responses, window by window. */
export class CacheTally {
  private readonly total = zeroCounters(CACHE_COUNTERS);
  private responded = 0;

  add({ cells }: Pick<Window, 'cells'>): void {
    for (const cell of cells) {
      this.responded += responseCount(cell);
      if (cell.cache) addCounters(CACHE_COUNTERS, this.total, cell.cache);
    }
  }

  figures(): CacheFigures {
    return computeFigures(this.responded, this.total);
  }
}

function computeFigures(responded: number, { fromCache, fromServer, fromCacheUs, fromServerUs }: CacheCount): CacheFigures {
  return {
    responded,
    fromCache,
    fromServer,
    unsaid: responded - fromCache - fromServer,
    fromCacheMs: meanMs(fromCacheUs, fromCache),
    fromServerMs: meanMs(fromServerUs, fromServer),
  };
}

function meanMs(sumUs: number, count: number): number | null {
  return count === 0 ? null : sumUs / count / 1_000;
}

/** Returns the share of responses from a cache: "87.4 %". */
export function cacheShare({ responded, fromCache }: CacheFigures): string {
  return responded === 0 ? formatPercent(null) : formatPercent(fromCache / responded);
}

/** Returns a sentence such as "87.4 % of 12,030 responses came from a cache, 3 % did not say." */
export function cacheSentence(figures: CacheFigures): string {
  const { responded, unsaid } = figures;
  if (responded === 0) return 'There were no responses, so none came from a cache.';
  if (unsaid === responded)
    return `None of ${formatCount(responded)} responses said whether it came from a cache: there is no cache, or it does not report it.`;
  const silent = unsaid === 0 ? '' : `, ${formatPercent(unsaid / responded)} did not say`;
  return `${cacheShare(figures)} of ${formatCount(responded)} responses came from a cache${silent}.`;
}

/** Returns the mean times from the cache and from the server; empty unless there were responses of both kinds. */
export function cacheWorth({ fromCacheMs, fromServerMs }: CacheFigures): string {
  if (fromCacheMs === null || fromServerMs === null) return '';
  return `One from a cache took ${formatMs(fromCacheMs)} on average, one from the server behind it ${formatMs(fromServerMs)}.`;
}

/** Returns the value of a header by its lower-case name; null if absent. Lines of the same name are joined by commas or line feeds. */
export type HeaderOf = (name: string) => string | null;

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

const HIT_PATTERN = /\b(?:hit|stale|updating|revalidated|refresh_?hit)\b|_hit\b/i;
const MISS_PATTERN = /\b(?:miss|expired|bypass|dynamic|pass|error|none)\b|_miss\b/i;

/** Returns true for a response from a cache, false for one from the server behind it, and null if the headers do not say. */
export function cameFromCache(headerOf: HeaderOf): boolean | null {
  const origins = new Set([
    cacheStatus(headerOf('cache-status')),
    ...WORD_HEADERS.map((name) => parseStatus(headerOf(name))),
    parseVarnishStatus(headerOf('x-varnish')),
  ]);
  if (origins.has(true)) return true;
  if (origins.has(false)) return false;
  // Only a cached response has an age above 0. With an age of 0 s, it may be a fresh cache entry or come from the server.
  return (ageSeconds(headerOf) ?? 0) > 0 ? true : null;
}

/** Returns the seconds since the cache stored the response; null if unknown. */
export function ageSeconds(headerOf: HeaderOf): number | null {
  const [, digits] = /^\s*(\d{1,9})\s*$/.exec(headerOf('age') ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}

const QUOTED_PATTERN = /"(?:[^"\\]|\\.)*"/g;

/**
 * Parses the header of RFC 9211, a list of caches with parameters. `hit` means that the cache served the response, and `fwd` says why it
 * forwarded the request.
 */
function cacheStatus(value: string | null): boolean | null {
  if (value === null) return null;
  const parameters = splitHops(value.replace(QUOTED_PATTERN, '""')).map((hop) =>
    hop
      .toLowerCase()
      .split(';')
      .slice(1)
      .map((part) => part.trim()),
  );
  if (parameters.some((parts) => parts.includes('hit') || parts.includes('hit=?1'))) return true;
  return parameters.some((parts) => parts.some((part) => part.startsWith('fwd'))) ? false : null;
}

/** Parses `HIT`, `MISS, HIT`, `TCP_MISS from proxy.example`. The part after “from” is the name of a machine and is ignored. */
function parseStatus(value: string | null): boolean | null {
  if (value === null) return null;
  const words = splitHops(value).map((hop) => hop.replace(/\sfrom\s.*/i, ''));
  if (words.some((word) => HIT_PATTERN.test(word))) return true;
  return words.some((word) => MISS_PATTERN.test(word)) ? false : null;
}

/** Parses the request number of Varnish. If the page came from the cache, the number of the request that fetched it follows. */
function parseVarnishStatus(value: string | null): boolean | null {
  if (value === null) return null;
  const numbers = splitHops(value).map((hop) => /^\d+( \d+)?$/.exec(hop));
  if (numbers.some((found) => found?.[1] !== undefined)) return true;
  return numbers.some((found) => found !== null) ? false : null;
}

/** Splits a header into one entry for each cache. */
function splitHops(value: string): string[] {
  return value.split(/[,\n]/).map((hop) => hop.trim());
}
