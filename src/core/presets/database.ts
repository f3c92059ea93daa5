import { z } from 'zod';

/** A table of PostgreSQL, with its schema where it is not in the search path. */
export const tableNameSchema = z
  .string()
  .regex(/^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$/, 'Enter the name of a table: lowercase letters, digits and _.');
const columnNameSchema = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/, 'Enter the name of a column: lowercase letters, digits and _.');

/** The one table whose rows are counted, and the one column that has to be readable for that. */
export const countedTableSchema = z.strictObject({ table: tableNameSchema, column: columnNameSchema.default('id') });
export type CountedTable = z.output<typeof countedTableSchema>;

/** What a user of PostgreSQL may do, as far as it is needed. */
export const databaseRightsSchema = z.strictObject({
  version: z.string(),
  user: z.string(),
  database: z.string(),
  /** Whether the states of all others’ connections are told: without it nobody sees that a pool of another role is used up. */
  seesStates: z.boolean(),
  /** Connections of clients that are open beside its own: those of roles whose states it is told, and the others. */
  others: z.strictObject({ seen: z.int(), hidden: z.int() }),
  /** Whether the rows can be counted; null where none are to be. */
  counts: z.enum(['yes', 'forbidden', 'noTable']).nullable(),
});
export type DatabaseRights = z.output<typeof databaseRightsSchema>;

const NEW_ROLE = 'holdfast';
/** Its members are told the states of everybody's connections. */
const STATES_ROLE = 'pg_read_all_stats';

/** A role of its own with the least rights that do: to see the states of connections, and to count the rows of one table. */
export function roleSql(counted: CountedTable | undefined): string {
  return [`CREATE ROLE ${NEW_ROLE} LOGIN PASSWORD 'choose one';`, ...grants(NEW_ROLE, true, counted)].join('\n');
}

/** Takes back what {@link missingSql} gives to see the states of connections. */
export function undoStatesSql({ user }: Pick<DatabaseRights, 'user'>): string {
  return `REVOKE ${STATES_ROLE} FROM ${quoted(user)};`;
}

/** Whether the states of connections are told: of all of them; of all that are open, which are of roles it may look at; or not of all that matter. */
export function statesSeen({ seesStates, others }: Pick<DatabaseRights, 'seesStates' | 'others'>): 'all' | 'allOpen' | 'tooFew' {
  if (seesStates) return 'all';
  return others.hidden === 0 && others.seen > 0 ? 'allOpen' : 'tooFew';
}

/** What would give a user the rights that it lacks; empty for nothing. */
export function missingSql(
  { user, counts, ...states }: Pick<DatabaseRights, 'user' | 'seesStates' | 'others' | 'counts'>,
  counted: CountedTable | undefined,
): string {
  return grants(quoted(user), statesSeen(states) === 'tooFew', counts === 'forbidden' ? counted : undefined).join('\n');
}

function grants(role: string, states: boolean, counted: CountedTable | undefined): string[] {
  return [
    ...(states ? [`GRANT ${STATES_ROLE} TO ${role};`] : []),
    ...(counted === undefined ? [] : [`GRANT SELECT (${counted.column}) ON ${counted.table} TO ${role};`]),
  ];
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** One question that only reads: who asks, and what they may. Names of tables and columns have their schemas. */
export function rightsQuestion(counted: CountedTable | undefined): string {
  const counts =
    counted === undefined
      ? 'NULL'
      : `CASE WHEN to_regclass('${counted.table}') IS NULL THEN 'noTable' WHEN has_any_column_privilege(to_regclass('${counted.table}'), 'SELECT') THEN 'yes' ELSE 'forbidden' END`;
  // The states of a role’s own connections, and those of roles that it is a member of, are told to everybody.
  const others = `SELECT json_build_object('seen', count(*) FILTER (WHERE pg_has_role(usesysid, 'USAGE')), 'hidden', count(*) FILTER (WHERE NOT pg_has_role(usesysid, 'USAGE'))) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datid IS NOT NULL AND usesysid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend'`;
  return `SELECT json_build_object('version', current_setting('server_version'), 'user', current_user, 'database', current_database(), 'seesStates', pg_has_role('${STATES_ROLE}', 'USAGE'), 'others', (${others}), 'counts', ${counts})`;
}
