import { z } from 'zod';
import { formatCount, formatMs, formatPercent } from '#core/base/units.ts';
import { answeredCount } from '../cellFigures.ts';
import { addCounters, CACHE_COUNTERS, noCounters } from '../counters.ts';
import type { CacheCount, Cell, Window } from '../window.ts';

/** Complete answers, good or not, by where their headers say that they came from: see `cameFromCache`. */
export const cacheFiguresSchema = z.strictObject({
  answered: z.int(),
  fromCache: z.int(),
  /** From the server behind the cache. */
  fromServer: z.int(),
  /** The rest: their headers say neither. */
  unsaid: z.int(),
  /** Mean service times; null where there was no such answer. */
  fromCacheMs: z.number().nullable(),
  fromServerMs: z.number().nullable(),
});
export type CacheFigures = z.infer<typeof cacheFiguresSchema>;

export const cacheResultSchema = z.strictObject({
  /** Of the whole run, warm-up included: what a server's own count is compared with. */
  all: cacheFiguresSchema,
  /** Of the stages that count, all together and by request; requests that nobody answered are left out. */
  counted: cacheFiguresSchema,
  steps: z.array(z.strictObject({ name: z.string(), figures: cacheFiguresSchema })),
});
export type CacheResult = z.infer<typeof cacheResultSchema>;

/** Whether a run tells which responses came from a cache: k6 reports no headers. */
export function tellsCache({
  countsCache,
  engine,
}: {
  readonly countsCache?: boolean | undefined;
  readonly engine?: string | undefined;
}): boolean {
  return countsCache === true && engine !== 'k6';
}

/** Of everything in a cell. */
export function cacheFiguresOf(cell: Cell): CacheFigures {
  return figuresOf(answeredCount(cell), cell.cache ?? noCounters(CACHE_COUNTERS));
}

/** Sums up where answers came from, window by window. */
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

/** In how many answers of how many, as a share: "87.4 %". */
export function cacheShare({ answered, fromCache }: CacheFigures): string {
  return answered === 0 ? formatPercent(null) : formatPercent(fromCache / answered);
}

/** "87.4 % of 12,030 responses came from a cache, 3 % did not say." */
export function cacheSentence(figures: CacheFigures): string {
  const { answered, unsaid } = figures;
  if (answered === 0) return 'There were no responses, so none came from a cache.';
  if (unsaid === answered)
    return `None of ${formatCount(answered)} responses said whether it came from a cache: there is no cache, or it does not report it.`;
  const silent = unsaid === 0 ? '' : `, ${formatPercent(unsaid / answered)} did not say`;
  return `${cacheShare(figures)} of ${formatCount(answered)} responses came from a cache${silent}.`;
}

/** What the cache is worth, where there were answers of both kinds; '' where not. */
export function cacheWorth({ fromCacheMs, fromServerMs }: CacheFigures): string {
  if (fromCacheMs === null || fromServerMs === null) return '';
  return `One from a cache took ${formatMs(fromCacheMs)} on average, one from the server behind it ${formatMs(fromServerMs)}.`;
}
