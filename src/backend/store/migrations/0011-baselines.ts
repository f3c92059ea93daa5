import type { Migration } from './migration.ts';

/**
 * `baselines`: runs with which later runs of the same question and target are compared. A question is a preset, or the name of a plan
 * without a preset. Several runs of one question and target form one baseline.
 */
export const baselines: Migration = {
  version: 11,
  name: 'baselines',
  up(database) {
    database.exec(`
      CREATE TABLE baselines (
        question TEXT NOT NULL,
        is_preset INTEGER NOT NULL,
        target TEXT NOT NULL,
        run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
        set_ms INTEGER NOT NULL,
        PRIMARY KEY (question, is_preset, target, run)
      ) STRICT;
      CREATE INDEX baselines_of_run ON baselines (run);
    `);
  },
};
