import { z } from 'zod';
import { type HostChange, hostChangeSchema } from '#core/machines/checks/finding.ts';
import type { SqliteDatabase } from './database.ts';

const rowSchema = z
  .strictObject({
    id: z.int(),
    host: z.string().nullable(),
    check: z.string(),
    setting: z.string(),
    from: z.string(),
    to: z.string(),
    appliedAt: z.string(),
  })
  .pipe(hostChangeSchema);

/** Reading and writing the table `host_changes`. */
export function createHostChangeTable(database: SqliteDatabase) {
  const columns = `id, host, check_id AS "check", setting, value_before AS "from", value_after AS "to", applied_at AS appliedAt`;
  const insert = database.prepare(
    'INSERT INTO host_changes (host, check_id, setting, value_before, value_after, applied_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const open = database.prepare(`SELECT ${columns} FROM host_changes WHERE reverted_at IS NULL ORDER BY id`);
  const revert = database.prepare('UPDATE host_changes SET reverted_at = ? WHERE id = ? AND reverted_at IS NULL');

  return {
    add: ({ host, check, setting, from, to, appliedAt }: Omit<HostChange, 'id'>): HostChange => {
      const id = Number(insert.run(host, check, setting, from, to, appliedAt).lastInsertRowid);
      return { id, host, check, setting, from, to, appliedAt };
    },
    /** Those that nobody has taken back, in the order in which they were made. */
    open: (): HostChange[] => open.all().map((row) => rowSchema.parse(row)),
    revert: (id: number, at: string): boolean => revert.run(at, id).changes > 0,
  };
}
