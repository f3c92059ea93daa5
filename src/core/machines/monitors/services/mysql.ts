import type { Catalogue, MonitorReading } from '../quantity.ts';
import { catalogueOf, inChart, type NamedValues, readNumbers } from './reading.ts';

const STATUS = [
  ...inChart('Connections', {}, [
    ['threads_connected', 'mysql.connections', 'open'],
    ['threads_running', 'mysql.running', 'active'],
  ]),
  ...inChart('Questions', { counts: true }, [
    ['questions', 'mysql.questions', 'questions'],
    ['slow_queries', 'mysql.slow', 'slow queries'],
  ]),
  ...inChart('New connections', { counts: true }, [
    ['connections', 'mysql.newConnections', 'tried'],
    ['connection_errors_max_connections', 'mysql.refused', 'refused by max_connections'],
    ['aborted_connects', 'mysql.failed', 'failed'],
    ['aborted_clients', 'mysql.brokenOff', 'aborted'],
  ]),
  ...inChart('Row locks', {}, [['innodb_row_lock_current_waits', 'mysql.locked', 'waiting']]),
  ...inChart('Row lock waits', { counts: true }, [['innodb_row_lock_waits', 'mysql.lockWaits', 'waits']]),
  ...inChart('Page reads', { counts: true }, [
    ['innodb_buffer_pool_read_requests', 'mysql.pages', 'requested'],
    ['innodb_buffer_pool_reads', 'mysql.pagesRead', 'read from disk'],
  ]),
  ...inChart('Temporary tables', { counts: true }, [['created_tmp_disk_tables', 'mysql.temporary', 'on disk']]),
];
const LIMITS = inChart('Connections', { isLimit: true }, [['max_connections', 'mysql.mostConnections', 'max_connections']]);

export const MYSQL_CATALOGUE: Catalogue = catalogueOf([...STATUS, ...LIMITS]);

const named = (told: readonly { readonly theirs: string }[]): string => told.map(({ theirs }) => `'${theirs}'`).join(', ');

/** Two queries that return rows of name and value. They need no privilege beyond login. */
export const MYSQL_QUESTIONS = [
  `SHOW GLOBAL STATUS WHERE Variable_name IN (${named(STATUS)})`,
  `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${named(LIMITS)})`,
] as const;

/** Reads the result of {@link MYSQL_QUESTIONS} from MySQL or MariaDB. Returns null for other rows. */
export function readMysql(answers: NamedValues): MonitorReading | null {
  return answers.has('threads_connected') ? readNumbers([...STATUS, ...LIMITS], (theirs) => answers.get(theirs)) : null;
}
