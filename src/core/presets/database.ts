import { z } from 'zod';

/** A table of PostgreSQL, with its schema where it is not in the search path. */
export const tableNameSchema = z
  .string()
  .regex(/^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$/, 'Write the name of a table: small letters, digits and _.');
const columnNameSchema = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/, 'Write the name of a column: small letters, digits and _.');

/** The one table whose rows are counted, and the one column that has to be readable for that. */
export const countedTableSchema = z.strictObject({ table: tableNameSchema, column: columnNameSchema.default('id') });
export type CountedTable = z.output<typeof countedTableSchema>;

/** What a user of PostgreSQL may do, as far as it is needed. */
export const databaseRightsSchema = z.strictObject({
  version: z.string(),
  user: z.string(),
  database: z.string(),
  /** Whether the states of others’ connections are told: without it nobody sees that a pool is used up. */
  seesStates: z.boolean(),
  /** Whether the rows can be counted; null where none are to be. */
  counts: z.enum(['yes', 'forbidden', 'noTable']).nullable(),
});
export type DatabaseRights = z.output<typeof databaseRightsSchema>;

const NEW_ROLE = 'holdfast';

/** A role of its own with the least rights that do: to see the states of connections, and to count the rows of one table. */
export function roleSql(counted: CountedTable | undefined): string {
  return [`CREATE ROLE ${NEW_ROLE} LOGIN PASSWORD 'choose one';`, ...grants(NEW_ROLE, true, counted)].join('\n');
}

/** What would give a user the rights that it lacks; empty for nothing. */
export function missingSql(
  { user, seesStates, counts }: Pick<DatabaseRights, 'user' | 'seesStates' | 'counts'>,
  counted: CountedTable | undefined,
): string {
  return grants(`"${user.replaceAll('"', '""')}"`, !seesStates, counts === 'forbidden' ? counted : undefined).join('\n');
}

function grants(role: string, states: boolean, counted: CountedTable | undefined): string[] {
  return [
    ...(states ? [`GRANT pg_read_all_stats TO ${role};`] : []),
    ...(counted === undefined ? [] : [`GRANT SELECT (${counted.column}) ON ${counted.table} TO ${role};`]),
  ];
}

/** One question that only reads: who asks, and what they may. Names of tables and columns have their schemas. */
export function rightsQuestion(counted: CountedTable | undefined): string {
  const counts =
    counted === undefined
      ? 'NULL'
      : `CASE WHEN to_regclass('${counted.table}') IS NULL THEN 'noTable' WHEN has_any_column_privilege(to_regclass('${counted.table}'), 'SELECT') THEN 'yes' ELSE 'forbidden' END`;
  return `SELECT json_build_object('version', current_setting('server_version'), 'user', current_user, 'database', current_database(), 'seesStates', pg_has_role('pg_read_all_stats', 'USAGE'), 'counts', ${counts})`;
}
