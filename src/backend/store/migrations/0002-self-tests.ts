import type { Migration } from './migration.ts';

/** `machine` holds what tells one machine and installation from another; a report counts only for the one that made it. */
export const selfTests: Migration = {
  version: 2,
  name: 'self-tests',
  up(database) {
    database.exec(`
      CREATE TABLE self_tests (
        key INTEGER PRIMARY KEY,
        machine TEXT NOT NULL,
        at TEXT NOT NULL,
        report TEXT NOT NULL
      ) STRICT;
      CREATE INDEX self_tests_newest ON self_tests (machine, key DESC);
    `);
  },
};
