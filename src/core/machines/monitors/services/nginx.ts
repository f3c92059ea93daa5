import type { Catalogue, MonitorReading } from '../quantity.ts';
import { catalogueOf, inChart, readNumbers } from './reading.ts';

const TOLD = [
  ...inChart('Connections', {}, [
    ['connections', 'nginx.connections', 'open'],
    ['reading', 'nginx.reading', 'reading the request'],
    ['writing', 'nginx.writing', 'writing the response'],
    ['waiting', 'nginx.waiting', 'idle (keep-alive)'],
  ]),
  ...inChart('Connections', { isLimit: true }, [['limit', 'nginx.limit', 'worker_connections of all workers']]),
  ...inChart('Requests', { counts: true }, [
    ['requests', 'nginx.requests', 'requests'],
    ['accepts', 'nginx.accepts', 'connections accepted'],
    ['dropped', 'nginx.dropped', 'connections dropped'],
  ]),
];

export const NGINX_CATALOGUE: Catalogue = catalogueOf(TOLD);

const STATUS =
  /^Active connections: (\d+)\s+server accepts handled requests\s+(\d+) (\d+) (\d+)\s+Reading: (\d+) Writing: (\d+) Waiting: (\d+)$/;

/**
 * Parses nginx's `stub_status`. `limit` is worker_processes × worker_connections, which nginx does not report; upstream connections count towards it as well.
 * Returns null for other text.
 */
export function parseNginx(text: string, limit: number | null = null): MonitorReading | null {
  const found = STATUS.exec(text.trim())?.slice(1).map(Number);
  if (found === undefined) return null;
  const [connections = 0, accepts = 0, handled = 0, requests = 0, reading = 0, writing = 0, waiting = 0] = found;
  // nginx drops an accepted connection if worker_connections is exhausted.
  const numbers = new Map<string, number | null>(
    Object.entries({ connections, reading, writing, waiting, limit, requests, accepts, dropped: accepts - handled }),
  );
  return readNumbers(TOLD, (theirs) => numbers.get(theirs));
}
