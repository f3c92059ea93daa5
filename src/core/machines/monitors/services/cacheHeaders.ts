import { ageSeconds, cameFromCache, type HeaderOf } from '#core/measurement/cache/fromCache.ts';
import type { Catalogue, MonitorReading } from '../quantity.ts';

export const CACHE_HEADERS_CATALOGUE: Catalogue = {
  quantities: [
    { id: 'cacheHeaders.fromCache', words: 'from the cache', unit: 'share', chart: 'Responses from the cache' },
    { id: 'cacheHeaders.age', words: 'age', unit: 'ms', chart: 'Age of the response' },
  ],
};

/**
 * Reads the cache headers of a response: `cacheHeaders.fromCache` is 1 from a cache and 0 from the origin server; `age` is the time in the cache. Returns
 * null without such headers: there may be no cache, or one that adds none.
 */
export function readCacheHeaders(headerOf: HeaderOf): MonitorReading | null {
  const seconds = ageSeconds(headerOf);
  const isHit = cameFromCache(headerOf);
  if (isHit === null && seconds === null) return null;
  return {
    gauges: {
      ...(isHit === null ? {} : { 'cacheHeaders.fromCache': isHit ? 1 : 0 }),
      ...(seconds === null ? {} : { 'cacheHeaders.age': seconds * 1_000 }),
    },
    counters: {},
  };
}
