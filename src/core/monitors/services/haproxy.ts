import { csvRecords } from '#core/feeds/csvRecords.ts';
import { numberOf, taken, type ServiceReading } from './reading.ts';

const GAUGES = { qcur: 'queue', scur: 'sessions', act: 'servers up', rtime: 'response time', qtime: 'queue time' };
const COUNTERS = {
  stot: 'sessions begun',
  req_tot: 'requests',
  ereq: 'request errors',
  econ: 'connection errors',
  eresp: 'response errors',
  wretr: 'retries',
  wredis: 'sent to another server',
  dreq: 'requests denied',
  hrsp_5xx: 'answers 5xx',
  hrsp_4xx: 'answers 4xx',
  bin: 'bytes in',
  bout: 'bytes out',
};
const LIMITS = { slim: 'sessions', qlimit: 'queue' };

/**
 * What HAProxy writes for `show stat` or at its page with `;csv`. Every name begins with the frontend, the backend or
 * `backend/server`: "app queue". A limit of 0 or none is none. null when this is something else.
 */
export function parseHaproxyStat(text: string): ServiceReading | null {
  const [header, ...rows] = csvRecords(text.replace(/^# /, ''), ',').records;
  const columns = header?.fields ?? [];
  if (columns[0] !== 'pxname' || columns[1] !== 'svname') return null;
  const gauges: Record<string, number> = {};
  const counters: Record<string, number> = {};
  const limits: Record<string, number> = {};
  for (const { fields } of rows) {
    const told = new Map(columns.map((column, index) => [column, fields[index]]));
    const place = placeOf(told.get('pxname') ?? '', told.get('svname') ?? '');
    const valueOf = (name: string): number | null => numberOf(told.get(name));
    // Times are those of the last 1,024 answers: without one they read 0, which is none.
    const levelOf = (name: string): number | null => (name.endsWith('time') && !valueOf('lbtot') ? null : valueOf(name));
    // The limit of a backend is a share of its frontends' and only scales the limits of its servers.
    const limitOf = (name: string): number | null => (name === 'slim' && told.get('svname') === 'BACKEND' ? null : valueOf(name) || null);
    Object.assign(gauges, prefixed(place, taken(GAUGES, levelOf)));
    Object.assign(counters, prefixed(place, taken(COUNTERS, valueOf)));
    Object.assign(limits, prefixed(place, taken(LIMITS, limitOf)));
  }
  return { gauges, counters, limits };
}

/** A listener or a frontend and a backend may have the same name: `listen` makes both. */
function placeOf(proxy: string, server: string): string {
  if (server === 'FRONTEND') return `${proxy} (frontend)`;
  return server === 'BACKEND' ? proxy : `${proxy}/${server}`;
}

function prefixed(place: string, values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${place} ${name}`, value]));
}
