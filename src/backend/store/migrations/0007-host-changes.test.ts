import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { hostChanges } from './0007-host-changes.ts';

it('migration 7 stores changes of hosts and of this computer, and never reuses an id', () => {
  const database = new Database(':memory:');
  hostChanges.up(database);
  const insert = database.prepare(
    `INSERT INTO host_changes (host, check_id, setting, value_before, value_after, applied_at) VALUES (?, 'c', 's', '1', '2', 'now')`,
  );
  insert.run(null);
  const { lastInsertRowid } = insert.run('web1');
  database.exec(`DELETE FROM host_changes WHERE id = ${lastInsertRowid}`);
  expect(insert.run('web1').lastInsertRowid).toBeGreaterThan(Number(lastInsertRowid));
  database.close();
});
