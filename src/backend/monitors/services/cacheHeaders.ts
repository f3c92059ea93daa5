import type { MonitorOf } from '#core/plan/schema/monitors.ts';
import { CACHE_HEADERS_CATALOGUE, readCacheHeaders } from '#core/machines/monitors/services/cacheHeaders.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { OpenMonitor } from '../source.ts';
import { asked } from './asked.ts';
import { askHttp } from './askHttp.ts';
import { notSuch } from './problems.ts';

const HINT = 'It says neither Age nor X-Cache nor anything of that kind: is there a cache in front of this page, and is it told to say so?';

/** Asks for one page and looks at what its headers say; the body is not waited for. The request is one more a second for the server. */
export const openCacheHeaders: OpenMonitor<MonitorOf<'cacheHeaders'>> = ({ url }, way) =>
  asked(CACHE_HEADERS_CATALOGUE, async () => {
    const { headers } = await askHttp({ what: 'The page', url: new URL(url), way, isHead: true });
    const reading = readCacheHeaders((name) => {
      const value = getOwn(headers, name);
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    });
    if (reading === null) throw notSuch('a cache that can be heard', url, HINT);
    return reading;
  });
