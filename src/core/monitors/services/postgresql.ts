import type { NamedValues } from './namedValues.ts';
import type { ServiceReading } from './reading.ts';

/**
 * One question for all of it, as rows of name and value. Needs no right beyond entering: for others' sessions PostgreSQL says
 * that they are there, and leaves out their state to those without `pg_read_all_stats`; they count as "not told".
 */
export const POSTGRESQL_QUESTION = `
SELECT 'connections ' || coalesce(state, 'not told') AS name, count(*)::float8 AS value
  FROM pg_stat_activity WHERE backend_type = 'client backend' GROUP BY 1
UNION ALL SELECT 'waiting for a lock', count(*) FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND wait_event_type = 'Lock'
UNION ALL SELECT 'longest transaction', coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
UNION ALL SELECT name, setting::float8 FROM pg_settings WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')
UNION ALL SELECT v.name, v.value FROM (SELECT sum(xact_commit) AS commits, sum(xact_rollback) AS rollbacks, sum(deadlocks) AS deadlocks,
  sum(blks_hit) AS hits, sum(blks_read) AS reads, sum(temp_bytes) AS temporary FROM pg_stat_database) AS d,
  LATERAL (VALUES ('commits', d.commits), ('rollbacks', d.rollbacks), ('deadlocks', d.deadlocks), ('blocks from memory', d.hits),
  ('blocks read', d.reads), ('temporary bytes', d.temporary)) AS v(name, value)`.trim();

const COUNTERS = ['commits', 'rollbacks', 'deadlocks', 'blocks from memory', 'blocks read', 'temporary bytes'];
const STATE = 'connections ';

/** The answer to {@link POSTGRESQL_QUESTION}. null when it is another. */
export function readPostgresql(values: NamedValues): ServiceReading | null {
  const most = values.get('max_connections');
  if (most === undefined) return null;
  const gauges: Record<string, number> = {};
  let connections = 0;
  for (const [name, value] of values) {
    if (!name.startsWith(STATE)) continue;
    gauges[name.slice(STATE.length)] = value;
    connections += value;
  }
  for (const name of ['waiting for a lock', 'longest transaction']) gauges[name] = values.get(name) ?? 0;
  // A state that nobody is in has no row, and is zero all the same.
  for (const state of ['active', 'idle', 'idle in transaction']) gauges[state] ??= 0;
  const counters = Object.fromEntries(
    COUNTERS.flatMap((name): [string, number][] => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  // Applications are refused before the last ones, which are kept for the superuser (and, since 16, for a role).
  const kept = (values.get('superuser_reserved_connections') ?? 0) + (values.get('reserved_connections') ?? 0);
  return { gauges: { connections, ...gauges }, counters, limits: { connections: most - kept } };
}
