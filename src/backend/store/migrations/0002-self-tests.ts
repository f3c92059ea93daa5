import type { Migration } from './migration.ts';

/** `machine` identifies a machine and installation. A report is valid only for the machine that created it. */
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
