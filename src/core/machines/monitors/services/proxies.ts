import { ageSeconds, cameFromCache, type HeaderOf } from '#core/measurement/cache/figures.ts';
import { parseJson } from '#core/base/json.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { csvRecords } from '#core/work/feeds/parseFeed.ts';
import type { Catalogue, MonitorReading } from '../result.ts';
import { buildCatalogue, quantitiesInChart, numberOf, readNumbers } from './reading.ts';

const NGINX_QUANTITIES = [
  ...quantitiesInChart('Connections', {}, [
    ['connections', 'nginx.connections', 'open'],
    ['reading', 'nginx.reading', 'reading the request'],
    ['writing', 'nginx.writing', 'writing the response'],
    ['waiting', 'nginx.waiting', 'idle (keep-alive)'],
  ]),
  ...quantitiesInChart('Connections', { isLimit: true }, [['limit', 'nginx.limit', 'worker_connections of all workers']]),
  ...quantitiesInChart('Requests', { counts: true }, [
    ['requests', 'nginx.requests', 'requests'],
    ['accepts', 'nginx.accepts', 'connections accepted'],
    ['dropped', 'nginx.dropped', 'connections dropped'],
  ]),
];

export const NGINX_CATALOGUE: Catalogue = buildCatalogue(NGINX_QUANTITIES);

const NGINX_STATUS_PATTERN =
  /^Active connections: (\d+)\s+server accepts handled requests\s+(\d+) (\d+) (\d+)\s+Reading: (\d+) Writing: (\d+) Waiting: (\d+)$/;

/**
 * Parses nginx's `stub_status`. `limit` is worker_processes × worker_connections, which nginx does not report; upstream connections count
 * towards the limit, too. Returns null for other text.
 */
export function parseNginx(text: string, limit: number | null = null): MonitorReading | null {
  const found = NGINX_STATUS_PATTERN.exec(text.trim())?.slice(1).map(Number);
  if (found === undefined) return null;
  const [connections = 0, accepts = 0, handled = 0, requests = 0, reading = 0, writing = 0, waiting = 0] = found;
  // nginx drops an accepted connection if worker_connections is exhausted.
  const numbers = new Map<string, number | null>(
    Object.entries({ connections, reading, writing, waiting, limit, requests, accepts, dropped: accepts - handled }),
  );
  return readNumbers(NGINX_QUANTITIES, (theirs) => numbers.get(theirs));
}

export const CACHE_HEADERS_CATALOGUE: Catalogue = {
  quantities: [
    { id: 'cacheHeaders.fromCache', words: 'from the cache', unit: 'share', chart: 'Responses from the cache' },
    { id: 'cacheHeaders.age', words: 'age', unit: 'ms', chart: 'Age of the response' },
  ],
};

/**
 * Reads the cache headers of a response: `cacheHeaders.fromCache` is 1 for a response from a cache and 0 for one from the origin server;
 * `age` is the time in the cache. Returns null without these headers: there may be no cache, or one that adds none.
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

const VARNISH_QUANTITIES = [
  ...quantitiesInChart('Requests to the cache', { counts: true }, [
    ['cache_hit', 'varnish.hits', 'hits'],
    ['cache_miss', 'varnish.misses', 'misses'],
    ['cache_hitpass', 'varnish.hitsForPass', 'hits for pass'],
    ['cache_hitmiss', 'varnish.hitsForMiss', 'hits for miss'],
    ['client_req', 'varnish.requests', 'requests'],
  ]),
  ...quantitiesInChart('Threads', {}, [
    ['threads', 'varnish.threads', 'threads'],
    ['thread_queue_len', 'varnish.queue', 'waiting for a thread'],
  ]),
  ...quantitiesInChart('Threads', { isLimit: true }, [['limit', 'varnish.limit', 'thread_pool_max of all pools']]),
  ...quantitiesInChart('Thread shortage', { counts: true }, [
    ['sess_queued', 'varnish.queued', 'queued for a thread'],
    ['sess_dropped', 'varnish.dropped', 'dropped for lack of a thread'],
    ['threads_limited', 'varnish.threadsLimited', 'threads refused by the limit'],
    ['threads_failed', 'varnish.threadsFailed', 'threads that failed to start'],
  ]),
  ...quantitiesInChart('Connections', { counts: true }, [
    ['sess_conn', 'varnish.connections', 'accepted'],
    ['sess_fail', 'varnish.connectionsFailed', 'failed to accept'],
    ['backend_conn', 'varnish.backendConnections', 'to the backend'],
    ['backend_reuse', 'varnish.backendReused', 'to the backend, reused'],
  ]),
  ...quantitiesInChart('Backend problems', { counts: true }, [
    ['backend_fail', 'varnish.backendFailed', 'failed'],
    ['backend_busy', 'varnish.backendBusy', 'at its limit'],
    ['backend_unhealthy', 'varnish.backendUnhealthy', 'marked unhealthy'],
  ]),
  ...quantitiesInChart('Objects', {}, [['n_object', 'varnish.objects', 'kept']]),
  ...quantitiesInChart('Evicted objects', { counts: true }, [['n_lru_nuked', 'varnish.thrownOut', 'for lack of space']]),
];

const VARNISH_CHARTS = buildCatalogue(VARNISH_QUANTITIES);

export const VARNISH_CATALOGUE: Catalogue = {
  limits: VARNISH_CHARTS.limits,
  quantities: [{ id: 'varnish.hitShare', words: 'from the cache', unit: 'share', chart: 'Cache hit rate' }, ...VARNISH_CHARTS.quantities],
  shares: [{ id: 'varnish.hitShare', part: ['varnish.hits'], whole: ['varnish.hits', 'varnish.misses', 'varnish.hitsForPass'] }],
};

/**
 * Parses `varnishstat -j`. Since 6.5 (version 1), the counters are below `counters`; before that, they are at the top. `limit` is
 * thread_pools × thread_pool_max, which is not reported. Returns null for other text.
 */
export function parseVarnish(text: string, limit: number | null = null): MonitorReading | null {
  const all = asRecord(parseJson(text));
  if (all === null) return null;
  const counters = asRecord(all['counters']) ?? all;
  const valueOf = (theirs: string): number | null => {
    if (theirs === 'limit') return limit;
    const value = asRecord(getOwn(counters, `MAIN.${theirs}`))?.['value'];
    return typeof value === 'number' ? value : null;
  };
  return valueOf('uptime') === null ? null : readNumbers(VARNISH_QUANTITIES, valueOf);
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

const HAPROXY_QUANTITIES = [
  ...quantitiesInChart('Queue', {}, [['qcur', 'haproxy.queue', 'waiting']]),
  ...quantitiesInChart('Queue', { isLimit: true }, [['qlimit', 'haproxy.mostQueue', 'maxqueue']]),
  ...quantitiesInChart('Sessions', {}, [['scur', 'haproxy.sessions', 'open']]),
  ...quantitiesInChart('Sessions', { isLimit: true }, [['slim', 'haproxy.mostSessions', 'maxconn']]),
  ...quantitiesInChart('Requests', { counts: true }, [
    ['req_tot', 'haproxy.requests', 'requests'],
    ['stot', 'haproxy.newSessions', 'new sessions'],
  ]),
  ...quantitiesInChart('Errors', { counts: true }, [
    ['ereq', 'haproxy.requestErrors', 'of requests'],
    ['econ', 'haproxy.connectionErrors', 'of connections to a server'],
    ['eresp', 'haproxy.answerErrors', 'of responses'],
    ['wretr', 'haproxy.retries', 'connection retries'],
    ['wredis', 'haproxy.redispatches', 'redispatched to another server'],
    ['hrsp_5xx', 'haproxy.answers5xx', '5xx responses'],
  ]),
  ...quantitiesInChart('Times of the last 1,024 requests', { unit: 'ms' }, [
    ['qtime', 'haproxy.queueTime', 'in the queue'],
    ['ctime', 'haproxy.connectTime', 'to connect'],
    ['rtime', 'haproxy.answerTime', 'to respond'],
  ]),
  ...quantitiesInChart('Servers', {}, [['act', 'haproxy.servers', 'in service']]),
];

export const HAPROXY_CATALOGUE: Catalogue = buildCatalogue(HAPROXY_QUANTITIES);

/**
 * Maximum number of servers that are reported separately. With more, only backends and frontends are, because charts would have thousands
 * of lines.
 */
const MAX_SERVERS = 24;

/** Maximum number of instances. Further ones are left out, because each is a line in several charts. */
export const MAX_INSTANCES = 100;
const MAX_NAME_LENGTH = 200;

/** Returns the field of a row by its column name. */
type Row = (column: string) => string | undefined;

/**
 * Parses HAProxy's `show stat` or its page with `;csv`. Instances are backends by name, servers as `backend/server`, and frontends as `name
 * (in)`; a `listen` section makes both a backend and a frontend. A limit of 0 means no limit. Returns null for other text.
 */
export function parseHaproxy(text: string): MonitorReading | null {
  const [header, ...rows] = csvRecords(text.replace(/^# /, ''), ',').records;
  const columns = header?.fields ?? [];
  if (columns[0] !== 'pxname' || columns[1] !== 'svname') return null;
  const places = new Map(columns.map((column, index) => [column, index]));
  const all = rows.map(
    ({ fields }): Row =>
      (column) =>
        fields[places.get(column) ?? columns.length],
  );
  const isServer = (row: Row): boolean => !['FRONTEND', 'BACKEND'].includes(row('svname') ?? '');
  const shown = all.filter(isServer).length > MAX_SERVERS ? all.filter((row) => !isServer(row)) : all;
  const readings = shown
    .slice(0, MAX_INSTANCES)
    .filter((row) => placeOf(row).length <= MAX_NAME_LENGTH)
    .map((row) => readNumbers(HAPROXY_QUANTITIES, (theirs) => readValue(row, theirs), placeOf(row)));
  return {
    gauges: Object.fromEntries(readings.flatMap(({ gauges }) => Object.entries(gauges))),
    counters: Object.fromEntries(readings.flatMap(({ counters }) => Object.entries(counters))),
  };
}

function readValue(row: Row, name: string): number | null {
  const value = numberOf(row(name));
  // A backend's limit refuses no connections; it only scales the limits of its servers.
  if (name === 'slim' && row('svname') === 'BACKEND') return null;
  if (value === 0 && (name === 'slim' || name === 'qlimit')) return null;
  // Times are 0 before the first response, which means that they were not measured.
  return value === 0 && /^[qcr]time$/.test(name) && numberOf(row('lbtot')) === 0 ? null : value;
}

function placeOf(row: Row): string {
  const proxy = row('pxname') ?? '';
  const server = row('svname') ?? '';
  if (server === 'FRONTEND') return `${proxy} (in)`;
  return server === 'BACKEND' ? proxy : `${proxy}/${server}`;
}
