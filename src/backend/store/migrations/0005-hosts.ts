import type { Migration } from './migration.ts';

/** Machines that can generate load. A host is one document without secrets. */
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
