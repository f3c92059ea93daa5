import type { Migration } from './migration.ts';

/**
 * Baselines are found by the name of the plan instead of the run, which may be renamed. The index finds the repeats of a cell without
 * reading all runs.
 */
export const baselineQuestions: Migration = {
  version: 12,
  name: 'baseline questions',
  up(database) {
    database.exec(`
      UPDATE OR REPLACE baselines
      SET question = (SELECT json_extract(plan, '$.name') FROM run_details WHERE run_details.run = baselines.run)
      WHERE is_preset = 0
        AND EXISTS (SELECT 1 FROM runs JOIN run_details ON run_details.run = key WHERE key = baselines.run AND series_name IS NULL);
      CREATE INDEX runs_of_cell ON runs (series_id, series_cell) WHERE series_id IS NOT NULL;
    `);
  },
};
