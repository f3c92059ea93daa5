import { csvRecords } from '#core/work/feeds/csvRecords.ts';
import type { Catalogue, MonitorReading } from '../quantity.ts';
import { catalogueOf, inChart, numberOf, readNumbers } from './reading.ts';

const TOLD = [
  ...inChart('Queue', {}, [['qcur', 'haproxy.queue', 'waiting']]),
  ...inChart('Queue', { isLimit: true }, [['qlimit', 'haproxy.mostQueue', 'maxqueue']]),
  ...inChart('Sessions', {}, [['scur', 'haproxy.sessions', 'open']]),
  ...inChart('Sessions', { isLimit: true }, [['slim', 'haproxy.mostSessions', 'maxconn']]),
  ...inChart('Requests', { counts: true }, [
    ['req_tot', 'haproxy.requests', 'requests'],
    ['stot', 'haproxy.newSessions', 'new sessions'],
  ]),
  ...inChart('Errors', { counts: true }, [
    ['ereq', 'haproxy.requestErrors', 'of requests'],
    ['econ', 'haproxy.connectionErrors', 'of connections to a server'],
    ['eresp', 'haproxy.answerErrors', 'of responses'],
    ['wretr', 'haproxy.retries', 'connection retries'],
    ['wredis', 'haproxy.redispatches', 'redispatched to another server'],
    ['hrsp_5xx', 'haproxy.answers5xx', '5xx responses'],
  ]),
  ...inChart('Times of the last 1,024 requests', { unit: 'ms' }, [
    ['qtime', 'haproxy.queueTime', 'in the queue'],
    ['ctime', 'haproxy.connectTime', 'to connect'],
    ['rtime', 'haproxy.answerTime', 'to respond'],
  ]),
  ...inChart('Servers', {}, [['act', 'haproxy.servers', 'in service']]),
];

export const HAPROXY_CATALOGUE: Catalogue = catalogueOf(TOLD);

/** With more servers, only backends and frontends are reported, because charts would have thousands of lines. */
const MAX_SERVERS = 24;

/** Instances above this number are left out, because each is a line in several charts. */
export const MAX_INSTANCES = 100;
const MAX_NAME_LENGTH = 200;

/** Returns the field of a row by column name. */
type Row = (column: string) => string | undefined;

/**
 * Parses HAProxy's `show stat` or its page with `;csv`. Instances are backends by name, `backend/server`, and frontends as `name (in)`; a `listen` section
 * makes both. A limit of 0 means no limit. Returns null for other text.
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
    .map((row) => readNumbers(TOLD, (theirs) => valueIn(row, theirs), placeOf(row)));
  return {
    gauges: Object.fromEntries(readings.flatMap(({ gauges }) => Object.entries(gauges))),
    counters: Object.fromEntries(readings.flatMap(({ counters }) => Object.entries(counters))),
  };
}

function valueIn(row: Row, name: string): number | null {
  const value = numberOf(row(name));
  // The limit of a backend refuses no connections; it only scales the limits of its servers.
  if (name === 'slim' && row('svname') === 'BACKEND') return null;
  if (value === 0 && (name === 'slim' || name === 'qlimit')) return null;
  // Times are 0 before the first response and were not measured.
  return value === 0 && /^[qcr]time$/.test(name) && numberOf(row('lbtot')) === 0 ? null : value;
}

function placeOf(row: Row): string {
  const proxy = row('pxname') ?? '';
  const server = row('svname') ?? '';
  if (server === 'FRONTEND') return `${proxy} (in)`;
  return server === 'BACKEND' ? proxy : `${proxy}/${server}`;
}
