import type { NamedValues } from './namedValues.ts';
import { taken, type ServiceReading } from './reading.ts';

const GAUGES = { threads_connected: 'connections', threads_running: 'running', innodb_row_lock_current_waits: 'waiting for a row' };
const COUNTERS = {
  connections: 'connections begun',
  connection_errors_max_connections: 'refused by the limit',
  aborted_connects: 'connections failed',
  aborted_clients: 'connections broken off',
  questions: 'questions',
  slow_queries: 'slow questions',
  created_tmp_disk_tables: 'temporary tables on disk',
  innodb_row_lock_waits: 'waits for a row',
  innodb_buffer_pool_read_requests: 'pages asked for',
  innodb_buffer_pool_reads: 'pages read from disk',
};

const asked = [...Object.keys(GAUGES), ...Object.keys(COUNTERS)].map((name) => `'${name}'`).join(', ');

/** Two questions, each answered by rows of name and value. They need no right beyond entering. */
export const MYSQL_QUESTIONS = [
  `SHOW GLOBAL STATUS WHERE Variable_name IN (${asked})`,
  "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('max_connections')",
] as const;

/** The answers to {@link MYSQL_QUESTIONS} of MySQL or MariaDB. null when they are others. */
export function readMysql(values: NamedValues): ServiceReading | null {
  const valueOf = (name: string): number | null => values.get(name) ?? null;
  if (valueOf('threads_connected') === null) return null;
  return {
    gauges: taken(GAUGES, valueOf),
    counters: taken(COUNTERS, valueOf),
    limits: taken({ max_connections: 'connections' }, valueOf),
  };
}
