import { z } from 'zod';
import { answeredCount } from '../cellFigures.ts';
import type { CacheCount, Cell, Window } from '../window.ts';
import { addCache, noCacheCount } from '../windowFold.ts';

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

/** Whether a run tells which answers came from a cache: k6 reports no headers. */
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
  return figuresOf(answeredCount(cell), cell.cache ?? noCacheCount());
}

/** Sums up where answers came from, window by window. */
export class CacheTally {
  private readonly total = noCacheCount();
  private answered = 0;

  add({ cells }: Pick<Window, 'cells'>): void {
    for (const cell of cells) {
      this.answered += answeredCount(cell);
      if (cell.cache) addCache(this.total, cell.cache);
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
