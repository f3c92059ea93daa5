import type { Migration } from './migration.ts';

/**
 * `studies` and their runs: each run was chosen by the results of those before. A run is an ordinary row of `runs`; `record` is its
 * outcome, so a result survives the deletion of its runs.
 */
export const studies: Migration = {
  version: 10,
  name: 'studies',
  up(database) {
    database.exec(`
      CREATE TABLE studies (
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
      CREATE INDEX studies_newest ON studies (started_at DESC, key DESC);

      CREATE TABLE study_runs (
        study INTEGER NOT NULL REFERENCES studies (key) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (study, position)
      ) STRICT;
    `);
  },
};
