import { formatCount, formatMs, formatPercent } from '#core/base/units.ts';
import type { CacheFigures } from './figures.ts';

/** In how many answers of how many, as a share: "87.4 %". */
export function cacheShare({ answered, fromCache }: CacheFigures): string {
  return answered === 0 ? formatPercent(null) : formatPercent(fromCache / answered);
}

/** "87.4 % of 12,030 answers came from a cache, 3 % did not say." */
export function cacheSentence(figures: CacheFigures): string {
  const { answered, unsaid } = figures;
  if (answered === 0) return 'Nothing was answered, so nothing came from a cache.';
  if (unsaid === answered)
    return `None of ${formatCount(answered)} answers said whether it came from a cache: there is no cache, or it is not told to say so.`;
  const silent = unsaid === 0 ? '' : `, ${formatPercent(unsaid / answered)} did not say`;
  return `${cacheShare(figures)} of ${formatCount(answered)} answers came from a cache${silent}.`;
}

/** What the cache is worth, where there were answers of both kinds; '' where not. */
export function cacheWorth({ fromCacheMs, fromServerMs }: CacheFigures): string {
  if (fromCacheMs === null || fromServerMs === null) return '';
  return `One from a cache took ${formatMs(fromCacheMs)} on average, one from the server behind it ${formatMs(fromServerMs)}.`;
}
