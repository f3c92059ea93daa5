import type { Migration } from './migration.ts';

/** Settings that were changed on machines until they are reverted. Later runs were measured with them. */
export const hostChanges: Migration = {
  version: 7,
  name: 'host-changes',
  up(database) {
    database.exec(`
      CREATE TABLE host_changes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        host TEXT COLLATE NOCASE,
        check_id TEXT NOT NULL,
        setting TEXT NOT NULL,
        value_before TEXT NOT NULL,
        value_after TEXT NOT NULL,
        applied_at TEXT NOT NULL,
        reverted_at TEXT
      ) STRICT;
    `);
  },
};
