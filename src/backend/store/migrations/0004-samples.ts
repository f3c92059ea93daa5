import type { Migration } from './migration.ts';

/** The first failures of each kind in a run, with request and response. */
export const samples: Migration = {
  version: 4,
  name: 'samples',
  up(database) {
    database.exec(`
      CREATE TABLE samples (
        run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        sample TEXT NOT NULL,
        PRIMARY KEY (run, number)
      ) STRICT;
    `);
  },
};
