import type { Migration } from './migration.ts';

/** `used_rows`: rows of lists that may be used once, each by a hash of the server and of what identifies the row there. */
export const usedRows: Migration = {
  version: 17,
  name: 'used-rows',
  up(database) {
    database.exec(`
      CREATE TABLE used_rows (
        hash TEXT PRIMARY KEY,
        used_at TEXT NOT NULL
      ) STRICT;
    `);
  },
};
