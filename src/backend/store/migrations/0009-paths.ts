import type { Migration } from './migration.ts';

/** The last measurement of the network path from a host to a target, for comparison with runs over it. */
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
