import type { Migration } from './migration.ts';

/** The state of machines and services during a run: what is monitored, and readings in columns, some seconds per row. */
export const monitors: Migration = {
  version: 6,
  name: 'monitors',
  up(database) {
    database.exec(`
      CREATE TABLE monitors (
        run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        info TEXT NOT NULL,
        PRIMARY KEY (run, number)
      ) STRICT;
      CREATE TABLE monitor_readings (
        run INTEGER NOT NULL,
        number INTEGER NOT NULL,
        second REAL NOT NULL,
        until REAL NOT NULL,
        folded INTEGER NOT NULL,
        columns BLOB NOT NULL,
        PRIMARY KEY (run, number, second),
        FOREIGN KEY (run, number) REFERENCES monitors (run, number) ON DELETE CASCADE
      ) STRICT;
    `);
  },
};
