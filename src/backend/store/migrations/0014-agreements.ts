import type { Migration } from './migration.ts';

/** `agreements`: what users have agreed to, by the hash of a plan and the list of what it asks for. */
export const agreements: Migration = {
  version: 14,
  name: 'agreements',
  up(database) {
    database.exec(`
      CREATE TABLE agreements (
        hash TEXT PRIMARY KEY,
        given_at TEXT NOT NULL
      ) STRICT;
    `);
  },
};
