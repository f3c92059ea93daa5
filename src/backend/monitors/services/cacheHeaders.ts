import type { MonitorOf } from '#core/plan/schema/monitors.ts';
import { CACHE_HEADERS_CATALOGUE, readCacheHeaders } from '#core/machines/monitors/services/cacheHeaders.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { OpenMonitor } from '../source.ts';
import { asked } from './asked.ts';
import { askHttp } from './askHttp.ts';
import { notSuch } from './problems.ts';

const HINT = 'It sends no Age, X-Cache or similar header. Check that a cache is in front of this page, and that it sends such a header.';

/** Requests one page and reads its headers, not its body. This adds one request a second to the server's load. */
export const openCacheHeaders: OpenMonitor<MonitorOf<'cacheHeaders'>> = ({ url }, way) =>
  asked(CACHE_HEADERS_CATALOGUE, async () => {
    const { headers } = await askHttp({ what: 'The page', url: new URL(url), way, isHead: true });
    const reading = readCacheHeaders((name) => {
      const value = getOwn(headers, name);
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    });
    if (reading === null) throw notSuch('a cache with such headers', url, HINT);
    return reading;
  });
