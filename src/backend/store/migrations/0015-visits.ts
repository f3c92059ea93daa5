import type { Migration } from './migration.ts';

/** Visits of a browser to the target during a run: facts about all visits, each visit, and films of a few. */
export const visits: Migration = {
  version: 15,
  name: 'visits',
  up(database) {
    database.exec(`
      CREATE TABLE visit_facts (
        run INTEGER PRIMARY KEY REFERENCES runs (key) ON DELETE CASCADE,
        facts TEXT NOT NULL
      ) STRICT;
      CREATE TABLE visits (
        run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        visit TEXT NOT NULL,
        film BLOB,
        PRIMARY KEY (run, number)
      ) STRICT;
    `);
  },
};
