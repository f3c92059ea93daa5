import type { Catalogue, MonitorReading } from '../result.ts';
import { buildCatalogue, quantitiesInChart, type NamedValues, readNumbers, numberOf } from './reading.ts';

const LOCK_WAITS = 'waiting for a lock';

/**
 * One query that returns rows of name and value. It needs no privilege beyond login. Without `pg_read_all_stats`, PostgreSQL shows the
 * database and role of other roles' sessions, but neither their type nor their state. The sessions count as "not visible", as do a few
 * parallel workers. PostgreSQL counts sessions since version 14.
 */
export const POSTGRES_QUERY = `
SELECT 'connections ' || CASE WHEN backend_type IS NULL THEN 'not visible' ELSE coalesce(state, 'starting') END AS name, count(*)::float8 AS value
  FROM pg_stat_activity WHERE backend_type = 'client backend' OR (backend_type IS NULL AND datid IS NOT NULL AND usesysid IS NOT NULL) GROUP BY 1
UNION ALL SELECT 'waiting for a lock', count(*) FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND wait_event_type = 'Lock'
UNION ALL SELECT 'longest transaction', coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) * 1000 FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
UNION ALL SELECT name, setting::float8 FROM pg_settings WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')
UNION ALL SELECT v.name, v.value FROM (SELECT sum(xact_commit) AS commits, sum(xact_rollback) AS rollbacks, sum(deadlocks) AS deadlocks,
  sum(blks_hit) AS hits, sum(blks_read) AS reads, sum(temp_bytes) AS temporary,
  sum((to_jsonb(pg_stat_database) ->> 'sessions')::float8) AS sessions FROM pg_stat_database) AS d,
  LATERAL (VALUES ('commits', d.commits), ('rollbacks', d.rollbacks), ('deadlocks', d.deadlocks), ('blocks from memory', d.hits),
  ('blocks read', d.reads), ('temporary bytes', d.temporary), ('sessions', d.sessions)) AS v(name, value)`.trim();

const POSTGRES_QUANTITIES = [
  ...quantitiesInChart('Connections', {}, [
    ['connections', 'postgres.connections', 'open'],
    ['connections active', 'postgres.active', 'active'],
    ['connections idle', 'postgres.idle', 'idle'],
    ['connections idle in transaction', 'postgres.idleInTransaction', 'idle in a transaction'],
    ['connections idle in transaction (aborted)', 'postgres.idleInFailed', 'idle in a failed transaction'],
    ['connections not visible', 'postgres.notTold', 'state not visible to this user'],
    [LOCK_WAITS, 'postgres.locked', LOCK_WAITS],
  ]),
  ...quantitiesInChart('Connections', { isLimit: true }, [
    ['limit', 'postgres.mostConnections', 'max_connections without those reserved for superusers'],
  ]),
  ...quantitiesInChart('Transactions', { counts: true }, [
    ['commits', 'postgres.commits', 'committed'],
    ['rollbacks', 'postgres.rollbacks', 'rolled back'],
    ['deadlocks', 'postgres.deadlocks', 'deadlocks'],
  ]),
  ...quantitiesInChart('New connections', { counts: true }, [['sessions', 'postgres.newConnections', 'opened']]),
  ...quantitiesInChart('Longest open transaction', { unit: 'ms' }, [['longest transaction', 'postgres.longest', 'open for']]),
  ...quantitiesInChart('Block reads', { counts: true }, [
    ['blocks from memory', 'postgres.blocksFromMemory', 'found in shared_buffers'],
    ['blocks read', 'postgres.blocksRead', 'read from outside'],
  ]),
  ...quantitiesInChart('Temporary files', { counts: true, unit: 'bytesPerSecond' }, [['temporary bytes', 'postgres.temporary', 'written']]),
];

const POSTGRES_CHARTS = buildCatalogue(POSTGRES_QUANTITIES);

export const POSTGRES_CATALOGUE: Catalogue = {
  limits: POSTGRES_CHARTS.limits,
  quantities: [
    ...POSTGRES_CHARTS.quantities,
    { id: 'postgres.memoryShare', words: 'in shared_buffers', unit: 'share', chart: 'Blocks found in shared_buffers' },
  ],
  shares: [
    { id: 'postgres.memoryShare', part: ['postgres.blocksFromMemory'], whole: ['postgres.blocksFromMemory', 'postgres.blocksRead'] },
  ],
};

const STATE_PREFIX = 'connections ';
const NOT_VISIBLE_STATE = `${STATE_PREFIX}not visible`;
/** Values that need visible connection states. */
const VALUES_OF_VISIBLE_STATES = new Set([LOCK_WAITS, 'longest transaction']);
/** States that count as 0 without a row, because the query returns no row for a state without connections. */
const ALWAYS_LISTED_STATES = ['active', 'idle', 'idle in transaction'];

/** Reads the result of {@link POSTGRES_QUERY}. Returns null for other rows. */
export function readPostgres(response: NamedValues): MonitorReading | null {
  const maxConnections = response.get('max_connections');
  if (maxConnections === undefined) return null;
  const open = [...response].reduce((sum, [name, value]) => (name.startsWith(STATE_PREFIX) ? sum + value : sum), 0);
  const notReported = response.get(NOT_VISIBLE_STATE) ?? 0;
  // A role that sees only its own connection knows nothing of the others, so their states are unknown, not 0.
  const isBlind = notReported > 0 && open - notReported <= 1;
  const values = new Map(
    [...response].filter(
      ([name]) => !isBlind || name === NOT_VISIBLE_STATE || !(name.startsWith(STATE_PREFIX) || VALUES_OF_VISIBLE_STATES.has(name)),
    ),
  );
  if (!isBlind) for (const state of ALWAYS_LISTED_STATES) if (!values.has(STATE_PREFIX + state)) values.set(STATE_PREFIX + state, 0);
  values.set('connections', open);
  // The last connections are reserved for superusers and, since PostgreSQL 16, for a role.
  values.set('limit', maxConnections - (response.get('superuser_reserved_connections') ?? 0) - (response.get('reserved_connections') ?? 0));
  return readNumbers(POSTGRES_QUANTITIES, (theirs) => values.get(theirs));
}

const MYSQL_STATUS = [
  ...quantitiesInChart('Connections', {}, [
    ['threads_connected', 'mysql.connections', 'open'],
    ['threads_running', 'mysql.running', 'active'],
  ]),
  ...quantitiesInChart('Questions', { counts: true }, [
    ['questions', 'mysql.questions', 'questions'],
    ['slow_queries', 'mysql.slow', 'slow queries'],
  ]),
  ...quantitiesInChart('New connections', { counts: true }, [
    ['connections', 'mysql.newConnections', 'tried'],
    ['connection_errors_max_connections', 'mysql.refused', 'refused by max_connections'],
    ['aborted_connects', 'mysql.failed', 'failed'],
    ['aborted_clients', 'mysql.brokenOff', 'aborted'],
  ]),
  ...quantitiesInChart('Row locks', {}, [['innodb_row_lock_current_waits', 'mysql.locked', 'waiting']]),
  ...quantitiesInChart('Row lock waits', { counts: true }, [['innodb_row_lock_waits', 'mysql.lockWaits', 'waits']]),
  ...quantitiesInChart('Page reads', { counts: true }, [
    ['innodb_buffer_pool_read_requests', 'mysql.pages', 'requested'],
    ['innodb_buffer_pool_reads', 'mysql.pagesRead', 'read from disk'],
  ]),
  ...quantitiesInChart('Temporary tables', { counts: true }, [['created_tmp_disk_tables', 'mysql.temporary', 'on disk']]),
];
const MYSQL_LIMITS = quantitiesInChart('Connections', { isLimit: true }, [['max_connections', 'mysql.mostConnections', 'max_connections']]);

export const MYSQL_CATALOGUE: Catalogue = buildCatalogue([...MYSQL_STATUS, ...MYSQL_LIMITS]);

const quoteNames = (reported: readonly { readonly theirs: string }[]): string => reported.map(({ theirs }) => `'${theirs}'`).join(', ');

/** Two queries that return rows of name and value. They need no privilege beyond login. */
export const MYSQL_QUESTIONS = [
  `SHOW GLOBAL STATUS WHERE Variable_name IN (${quoteNames(MYSQL_STATUS)})`,
  `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${quoteNames(MYSQL_LIMITS)})`,
] as const;

/** Reads the result of {@link MYSQL_QUESTIONS} from MySQL or MariaDB. Returns null for other rows. */
export function readMysql(responses: NamedValues): MonitorReading | null {
  return responses.has('threads_connected') ? readNumbers([...MYSQL_STATUS, ...MYSQL_LIMITS], (theirs) => responses.get(theirs)) : null;
}

const REDIS_QUANTITIES = [
  ...quantitiesInChart('Clients', {}, [
    ['connected_clients', 'redis.clients', 'connected'],
    ['blocked_clients', 'redis.blocked', 'blocked'],
  ]),
  ...quantitiesInChart('Clients', { isLimit: true }, [['maxclients', 'redis.mostClients', 'maxclients']]),
  ...quantitiesInChart('Commands', { counts: true }, [['total_commands_processed', 'redis.commands', 'commands']]),
  ...quantitiesInChart('Key lookups', { counts: true }, [
    ['keyspace_hits', 'redis.hits', 'hits'],
    ['keyspace_misses', 'redis.misses', 'misses'],
  ]),
  ...quantitiesInChart('Memory', { unit: 'bytes' }, [['used_memory', 'redis.memory', 'used']]),
  ...quantitiesInChart('Memory', { unit: 'bytes', isLimit: true }, [['maxmemory', 'redis.mostMemory', 'maxmemory']]),
  ...quantitiesInChart('Keys removed', { counts: true }, [
    ['evicted_keys', 'redis.evicted', 'evicted for lack of memory'],
    ['expired_keys', 'redis.expired', 'expired'],
  ]),
  ...quantitiesInChart('Connections', { counts: true }, [
    ['total_connections_received', 'redis.connections', 'new'],
    ['rejected_connections', 'redis.refused', 'refused by maxclients'],
  ]),
  ...quantitiesInChart('Processor', { counts: true, unit: 'cores' }, [
    ['used_cpu_user', 'redis.user', 'in Redis'],
    ['used_cpu_sys', 'redis.system', 'in the system'],
  ]),
];

const REDIS_CHARTS = buildCatalogue(REDIS_QUANTITIES);

export const REDIS_CATALOGUE: Catalogue = {
  limits: REDIS_CHARTS.limits,
  quantities: [...REDIS_CHARTS.quantities, { id: 'redis.hitShare', words: 'hits', unit: 'share', chart: 'Key hit rate' }],
  shares: [{ id: 'redis.hitShare', part: ['redis.hits'], whole: ['redis.hits', 'redis.misses'] }],
};

/** Limits for which 0 means unlimited. */
const REDIS_LIMITS = new Set(['maxclients', 'maxmemory']);

/** Parses the reply of Redis, Valkey or KeyDB to INFO. Old versions do not report `maxclients`. Returns null for other text. */
export function parseRedis(text: string): MonitorReading | null {
  const stated = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([a-z]\w*):(.*)$/.exec(line) ?? [];
    if (name !== '') stated.set(name, value.trim());
  }
  if (numberOf(stated.get('uptime_in_seconds')) === null || numberOf(stated.get('connected_clients')) === null) return null;
  return readNumbers(REDIS_QUANTITIES, (theirs) => {
    const value = numberOf(stated.get(theirs));
    return value === 0 && REDIS_LIMITS.has(theirs) ? null : value;
  });
}
