import type { Catalogue, MonitorReading } from '../quantity.ts';
import { catalogueOf, inChart, type NamedValues, readNumbers } from './reading.ts';

const STATUS = [
  ...inChart('Connections', {}, [
    ['threads_connected', 'mysql.connections', 'open'],
    ['threads_running', 'mysql.running', 'at work'],
  ]),
  ...inChart('Questions', { counts: true }, [
    ['questions', 'mysql.questions', 'questions'],
    ['slow_queries', 'mysql.slow', 'slow ones'],
  ]),
  ...inChart('New connections', { counts: true }, [
    ['connections', 'mysql.newConnections', 'tried'],
    ['connection_errors_max_connections', 'mysql.refused', 'refused by max_connections'],
    ['aborted_connects', 'mysql.failed', 'failed'],
    ['aborted_clients', 'mysql.brokenOff', 'broken off'],
  ]),
  ...inChart('Locks of rows', {}, [['innodb_row_lock_current_waits', 'mysql.locked', 'waiting']]),
  ...inChart('Waits for rows', { counts: true }, [['innodb_row_lock_waits', 'mysql.lockWaits', 'had to wait']]),
  ...inChart('Pages asked for', { counts: true }, [
    ['innodb_buffer_pool_read_requests', 'mysql.pages', 'asked for'],
    ['innodb_buffer_pool_reads', 'mysql.pagesRead', 'read from the disk'],
  ]),
  ...inChart('Temporary tables', { counts: true }, [['created_tmp_disk_tables', 'mysql.temporary', 'on the disk']]),
];
const LIMITS = inChart('Connections', { isLimit: true }, [['max_connections', 'mysql.mostConnections', 'max_connections']]);

export const MYSQL_CATALOGUE: Catalogue = catalogueOf([...STATUS, ...LIMITS]);

const named = (told: readonly { readonly theirs: string }[]): string => told.map(({ theirs }) => `'${theirs}'`).join(', ');

/** Two questions, each answered by rows of name and value. They need no right beyond entering. */
export const MYSQL_QUESTIONS = [
  `SHOW GLOBAL STATUS WHERE Variable_name IN (${named(STATUS)})`,
  `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${named(LIMITS)})`,
] as const;

/** The answers to {@link MYSQL_QUESTIONS} of MySQL or MariaDB. null when they are others. */
export function readMysql(answers: NamedValues): MonitorReading | null {
  return answers.has('threads_connected') ? readNumbers([...STATUS, ...LIMITS], (theirs) => answers.get(theirs)) : null;
}
