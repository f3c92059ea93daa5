import type { Migration } from './migration.ts';

/** Machines that loads can be run from. A host is one document; no secret is part of it. */
export const hosts: Migration = {
  version: 5,
  name: 'hosts',
  up(database) {
    database.exec(`
      CREATE TABLE hosts (
        name TEXT PRIMARY KEY COLLATE NOCASE,
        host TEXT NOT NULL
      ) STRICT;
    `);
  },
};
