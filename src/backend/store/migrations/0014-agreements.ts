import type { Migration } from './migration.ts';

/** `agreements`: what persons have agreed to, each by the hash of a plan and of the list of what it asks for. */
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
