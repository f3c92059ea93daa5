import { z } from 'zod';

/** Name of a PostgreSQL table, with its schema if that is not in the search path. */
export const tableNameSchema = z
  .string()
  .regex(/^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$/, 'Enter the name of a table: lowercase letters, digits and _.');
const columnNameSchema = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/, 'Enter the name of a column: lowercase letters, digits and _.');

/** The table whose rows are counted, with a column that must be readable. */
export const countedTableSchema = z.strictObject({ table: tableNameSchema, column: columnNameSchema.default('id') });
export type CountedTable = z.output<typeof countedTableSchema>;

/** The privileges of a PostgreSQL user, as far as a preset needs them. */
export const databaseRightsSchema = z.strictObject({
  version: z.string(),
  user: z.string(),
  database: z.string(),
  /** Whether the states of all connections are visible. If not, an exhausted pool of another role cannot be detected. */
  seesStates: z.boolean(),
  /** Numbers of other open client connections: those with visible and those with hidden state. */
  others: z.strictObject({ seen: z.int(), hidden: z.int() }),
  /** Whether rows can be counted; null if that is not required. */
  counts: z.enum(['yes', 'forbidden', 'noTable']).nullable(),
});
export type DatabaseRights = z.output<typeof databaseRightsSchema>;

const NEW_ROLE = 'holdfast';
/** Role whose members can see the states of all connections. */
const STATES_ROLE = 'pg_read_all_stats';

/** Returns the SQL that creates a role with minimal privileges: connection states and the row count of one table. */
export function roleSql(counted: CountedTable | undefined): string {
  return [`CREATE ROLE ${NEW_ROLE} LOGIN PASSWORD 'choose one';`, ...grantStatements(NEW_ROLE, true, counted)].join('\n');
}

/** Returns the SQL that revokes the privilege for connection states from {@link missingSql}. */
export function undoStatesSql({ user }: Pick<DatabaseRights, 'user'>): string {
  return `REVOKE ${STATES_ROLE} FROM ${quoteIdentifier(user)};`;
}

/** Returns for which connections the state is visible: for all, for those that are open now, or for too few. */
export function statesSeen({ seesStates, others }: Pick<DatabaseRights, 'seesStates' | 'others'>): 'all' | 'allOpen' | 'tooFew' {
  if (seesStates) return 'all';
  return others.hidden === 0 && others.seen > 0 ? 'allOpen' : 'tooFew';
}

/** Returns the SQL that grants the missing privileges; empty if none are missing. */
export function missingSql(
  { user, counts, ...states }: Pick<DatabaseRights, 'user' | 'seesStates' | 'others' | 'counts'>,
  counted: CountedTable | undefined,
): string {
  return grantStatements(quoteIdentifier(user), statesSeen(states) === 'tooFew', counts === 'forbidden' ? counted : undefined).join('\n');
}

function grantStatements(role: string, states: boolean, counted: CountedTable | undefined): string[] {
  return [
    ...(states ? [`GRANT ${STATES_ROLE} TO ${role};`] : []),
    ...(counted === undefined ? [] : [`GRANT SELECT (${counted.column}) ON ${counted.table} TO ${role};`]),
  ];
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns a read-only query for the user and the user's privileges. */
export function privilegesQuery(counted: CountedTable | undefined): string {
  const counts =
    counted === undefined
      ? 'NULL'
      : `CASE WHEN to_regclass('${counted.table}') IS NULL THEN 'noTable' WHEN has_any_column_privilege(to_regclass('${counted.table}'), 'SELECT') THEN 'yes' ELSE 'forbidden' END`;
  // A role always sees the states of its own connections and of roles that it belongs to.
  const others = `SELECT json_build_object('seen', count(*) FILTER (WHERE pg_has_role(usesysid, 'USAGE')), 'hidden', count(*) FILTER (WHERE NOT pg_has_role(usesysid, 'USAGE'))) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datid IS NOT NULL AND usesysid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend'`;
  return `SELECT json_build_object('version', current_setting('server_version'), 'user', current_user, 'database', current_database(), 'seesStates', pg_has_role('${STATES_ROLE}', 'USAGE'), 'others', (${others}), 'counts', ${counts})`;
}
