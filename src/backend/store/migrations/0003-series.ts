import type { Migration } from './migration.ts';

/**
 * `series` and its runs: planned, done or skipped. A done run is an ordinary row of `runs` that names its series and cell. `record` is its
 * outcome, so a table survives the deletion of its runs.
 */
export const series: Migration = {
  version: 3,
  name: 'series',
  up(database) {
    database.exec(`
      ALTER TABLE runs ADD COLUMN series_id TEXT;
      ALTER TABLE runs ADD COLUMN series_name TEXT;
      ALTER TABLE runs ADD COLUMN series_cell TEXT;
      ALTER TABLE runs ADD COLUMN series_repeat INTEGER;

      CREATE TABLE series (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        document TEXT NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        state TEXT NOT NULL,
        ended_text TEXT,
        owner_pid INTEGER NOT NULL,
        owner_start TEXT NOT NULL,
        owner_boot TEXT NOT NULL,
        owner_namespace TEXT NOT NULL,
        heartbeat_ms INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX series_newest ON series (started_at DESC, key DESC);

      CREATE TABLE series_runs (
        series INTEGER NOT NULL REFERENCES series (key) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (series, position)
      ) STRICT;
    `);
  },
};
