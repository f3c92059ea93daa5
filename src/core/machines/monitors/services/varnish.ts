import { parseJson } from '#core/base/json.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Catalogue, MonitorReading } from '../quantity.ts';
import { catalogueOf, inChart, readNumbers } from './reading.ts';

const TOLD = [
  ...inChart('Requests to the cache', { counts: true }, [
    ['cache_hit', 'varnish.hits', 'hits'],
    ['cache_miss', 'varnish.misses', 'misses'],
    ['cache_hitpass', 'varnish.hitsForPass', 'hits for pass'],
    ['cache_hitmiss', 'varnish.hitsForMiss', 'hits for miss'],
    ['client_req', 'varnish.requests', 'requests'],
  ]),
  ...inChart('Threads', {}, [
    ['threads', 'varnish.threads', 'threads'],
    ['thread_queue_len', 'varnish.queue', 'waiting for a thread'],
  ]),
  ...inChart('Threads', { isLimit: true }, [['limit', 'varnish.limit', 'thread_pool_max of all pools']]),
  ...inChart('Thread shortage', { counts: true }, [
    ['sess_queued', 'varnish.queued', 'queued for a thread'],
    ['sess_dropped', 'varnish.dropped', 'dropped for lack of a thread'],
    ['threads_limited', 'varnish.threadsLimited', 'threads refused by the limit'],
    ['threads_failed', 'varnish.threadsFailed', 'threads that failed to start'],
  ]),
  ...inChart('Connections', { counts: true }, [
    ['sess_conn', 'varnish.connections', 'accepted'],
    ['sess_fail', 'varnish.connectionsFailed', 'failed to accept'],
    ['backend_conn', 'varnish.backendConnections', 'to the backend'],
    ['backend_reuse', 'varnish.backendReused', 'to the backend, reused'],
  ]),
  ...inChart('Backend problems', { counts: true }, [
    ['backend_fail', 'varnish.backendFailed', 'failed'],
    ['backend_busy', 'varnish.backendBusy', 'at its limit'],
    ['backend_unhealthy', 'varnish.backendUnhealthy', 'marked unhealthy'],
  ]),
  ...inChart('Objects', {}, [['n_object', 'varnish.objects', 'kept']]),
  ...inChart('Evicted objects', { counts: true }, [['n_lru_nuked', 'varnish.thrownOut', 'for lack of space']]),
];

const TOLD_CATALOGUE = catalogueOf(TOLD);

export const VARNISH_CATALOGUE: Catalogue = {
  limits: TOLD_CATALOGUE.limits,
  quantities: [{ id: 'varnish.hitShare', words: 'from the cache', unit: 'share', chart: 'Cache hit rate' }, ...TOLD_CATALOGUE.quantities],
  shares: [{ id: 'varnish.hitShare', part: ['varnish.hits'], whole: ['varnish.hits', 'varnish.misses', 'varnish.hitsForPass'] }],
};

/**
 * Parses `varnishstat -j`: since 6.5 (version 1) the counters are below `counters`, before that at the top. `limit` is thread_pools × thread_pool_max, which
 * is not reported. Returns null for other text.
 */
export function parseVarnish(text: string, limit: number | null = null): MonitorReading | null {
  const all = recordOf(parseJson(text));
  if (all === null) return null;
  const counters = recordOf(all['counters']) ?? all;
  const valueOf = (theirs: string): number | null => {
    if (theirs === 'limit') return limit;
    const value = recordOf(getOwn(counters, `MAIN.${theirs}`))?.['value'];
    return typeof value === 'number' ? value : null;
  };
  return valueOf('uptime') === null ? null : readNumbers(TOLD, valueOf);
}

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}
