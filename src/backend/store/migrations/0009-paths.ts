import type { Migration } from './migration.ts';

/** What the way from a place to a target was last measured at: what a run over it is compared with. */
export const paths: Migration = {
  version: 9,
  name: 'paths',
  up(database) {
    database.exec(`
      CREATE TABLE paths (
        place TEXT NOT NULL COLLATE NOCASE,
        target TEXT NOT NULL,
        path TEXT NOT NULL,
        PRIMARY KEY (place, target)
      ) STRICT;
    `);
  },
};
