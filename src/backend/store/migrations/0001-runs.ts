import type { Migration } from './migration.ts';

/**
 * `runs` holds what lists need and stays small: a search over 10,000 runs reads only this table. Plans and results are in `run_details`. A
 * row of `windows` covers some seconds: counters and histograms as a compressed blob, and the state of the load generator.
 */
export const runs: Migration = {
  version: 1,
  name: 'runs',
  up(database) {
    database.exec(`
      CREATE TABLE runs (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        note TEXT NOT NULL DEFAULT '',
        preset TEXT,
        target TEXT NOT NULL,
        holdfast_version TEXT NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        state TEXT NOT NULL,
        ended_code TEXT,
        ended_text TEXT,
        owner_pid INTEGER NOT NULL,
        owner_start TEXT NOT NULL,
        owner_boot TEXT NOT NULL,
        owner_namespace TEXT NOT NULL,
        heartbeat_ms INTEGER NOT NULL,
        outcome TEXT,
        sentence TEXT,
        requests INTEGER NOT NULL DEFAULT 0,
        completed_per_second REAL,
        p95 TEXT,
        sparkline TEXT NOT NULL DEFAULT '[]',
        deleted_ms INTEGER
      ) STRICT;
      CREATE INDEX runs_newest ON runs (started_at DESC, key DESC) WHERE deleted_ms IS NULL;
      CREATE INDEX runs_going ON runs (state) WHERE ended_at IS NULL;

      CREATE TABLE run_details (
        run INTEGER PRIMARY KEY REFERENCES runs (key) ON DELETE CASCADE,
        plan TEXT NOT NULL,
        generator TEXT,
        engine_end TEXT,
        result BLOB
      ) STRICT;

      CREATE TABLE windows (
        run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
        second REAL NOT NULL,
        width REAL NOT NULL,
        sick TEXT NOT NULL,
        counters BLOB NOT NULL,
        reading TEXT NOT NULL,
        PRIMARY KEY (run, second)
      ) STRICT;

      CREATE TABLE events (
        run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (run, number)
      ) STRICT;
    `);
  },
};
