import { taken, type ServiceReading } from './reading.ts';

const GAUGES = { threads: 'threads', thread_queue_len: 'waiting for a thread', n_object: 'objects' };

const COUNTERS = {
  cache_hit: 'hits',
  cache_hitpass: 'hits for pass',
  cache_hitmiss: 'hits for miss',
  cache_miss: 'misses',
  client_req: 'requests',
  sess_conn: 'connections',
  sess_fail: 'connections failed',
  sess_queued: 'queued for a thread',
  sess_dropped: 'dropped for want of a thread',
  threads_limited: 'threads refused by the limit',
  threads_failed: 'threads that could not be made',
  backend_conn: 'connections to the backend',
  backend_reuse: 'backend connections reused',
  backend_busy: 'backend busy',
  backend_fail: 'backend failed',
  backend_unhealthy: 'backend unhealthy',
  n_lru_nuked: 'objects thrown out for room',
};

/**
 * What `varnishstat -j` writes, of version 1 (since 6.5: below `counters`) or before (at the top). `mostThreads` is thread_pools ×
 * thread_pool_max, which it does not tell. null when this is something else.
 */
export function parseVarnishStat(text: string, mostThreads: number | null = null): ServiceReading | null {
  const all = recordOf(parsed(text));
  if (all === null) return null;
  const counters = recordOf(all['counters']) ?? all;
  const valueOf = (name: string): number | null => {
    const value = recordOf(counters[`MAIN.${name}`])?.['value'];
    return typeof value === 'number' ? value : null;
  };
  if (valueOf('uptime') === null) return null;
  const gauges = taken(GAUGES, valueOf);
  return { gauges, counters: taken(COUNTERS, valueOf), limits: mostThreads === null ? {} : { threads: mostThreads } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}
