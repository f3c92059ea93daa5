import { z } from 'zod';
import { formatCount, formatMs, formatPercent } from '#core/base/units.ts';
import { answeredCount } from '../cellFigures.ts';
import { addCounters, CACHE_COUNTERS, noCounters } from '../counters.ts';
import type { CacheCount, Cell, Window } from '../window.ts';

/** Complete responses, successful or not, by their origin according to the headers: see `cameFromCache`. */
export const cacheFiguresSchema = z.strictObject({
  answered: z.int(),
  fromCache: z.int(),
  /** From the server behind the cache. */
  fromServer: z.int(),
  /** Responses without such a header. */
  unsaid: z.int(),
  /** Mean service times; null without such a response. */
  fromCacheMs: z.number().nullable(),
  fromServerMs: z.number().nullable(),
});
export type CacheFigures = z.infer<typeof cacheFiguresSchema>;

export const cacheResultSchema = z.strictObject({
  /** The whole run, warm-up included, for comparison with a server's own count. */
  all: cacheFiguresSchema,
  /** The counted stages, in total and by request. Requests without responses are omitted. */
  counted: cacheFiguresSchema,
  steps: z.array(z.strictObject({ name: z.string(), figures: cacheFiguresSchema })),
});
export type CacheResult = z.infer<typeof cacheResultSchema>;

/** Returns whether a run reports which responses came from a cache. k6 reports no headers. */
export function tellsCache({
  countsCache,
  engine,
}: {
  readonly countsCache?: boolean | undefined;
  readonly engine?: string | undefined;
}): boolean {
  return countsCache === true && engine !== 'k6';
}

/** Returns the figures of one cell. */
export function cacheFiguresOf(cell: Cell): CacheFigures {
  return figuresOf(answeredCount(cell), cell.cache ?? noCounters(CACHE_COUNTERS));
}

/** Sums the origins of responses, window by window. */
export class CacheTally {
  private readonly total = noCounters(CACHE_COUNTERS);
  private answered = 0;

  add({ cells }: Pick<Window, 'cells'>): void {
    for (const cell of cells) {
      this.answered += answeredCount(cell);
      if (cell.cache) addCounters(CACHE_COUNTERS, this.total, cell.cache);
    }
  }

  figures(): CacheFigures {
    return figuresOf(this.answered, this.total);
  }
}

function figuresOf(answered: number, { fromCache, fromServer, fromCacheUs, fromServerUs }: CacheCount): CacheFigures {
  return {
    answered,
    fromCache,
    fromServer,
    unsaid: answered - fromCache - fromServer,
    fromCacheMs: meanMs(fromCacheUs, fromCache),
    fromServerMs: meanMs(fromServerUs, fromServer),
  };
}

function meanMs(sumUs: number, count: number): number | null {
  return count === 0 ? null : sumUs / count / 1_000;
}

/** Returns the share of responses from a cache: "87.4 %". */
export function cacheShare({ answered, fromCache }: CacheFigures): string {
  return answered === 0 ? formatPercent(null) : formatPercent(fromCache / answered);
}

/** Returns a sentence: "87.4 % of 12,030 responses came from a cache, 3 % did not say." */
export function cacheSentence(figures: CacheFigures): string {
  const { answered, unsaid } = figures;
  if (answered === 0) return 'There were no responses, so none came from a cache.';
  if (unsaid === answered)
    return `None of ${formatCount(answered)} responses said whether it came from a cache: there is no cache, or it does not report it.`;
  const silent = unsaid === 0 ? '' : `, ${formatPercent(unsaid / answered)} did not say`;
  return `${cacheShare(figures)} of ${formatCount(answered)} responses came from a cache${silent}.`;
}

/** Returns the mean times from the cache and from the server; '' unless there were responses of both kinds. */
export function cacheWorth({ fromCacheMs, fromServerMs }: CacheFigures): string {
  if (fromCacheMs === null || fromServerMs === null) return '';
  return `One from a cache took ${formatMs(fromCacheMs)} on average, one from the server behind it ${formatMs(fromServerMs)}.`;
}
