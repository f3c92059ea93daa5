import type { Migration } from './migration.ts';

/**
 * `baselines`: the runs that later ones of the same question at the same target are set against. A question is a preset, or the name of a plan that is nobody's preset.
 * Several runs of one question at one target are one baseline.
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
