import type { Migration } from './migration.ts';

/** What a browser saw of the target during a run: facts of all its visits together, the visits, and films of few of them. */
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
