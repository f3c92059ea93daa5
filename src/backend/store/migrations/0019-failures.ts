import type { Migration } from './migration.ts';

/** Both columns are NULL for runs from before this version, whose error rate is unknown in lists. */
export const failures: Migration = {
  version: 19,
  name: 'failures',
  up: (database) =>
    void database.exec(`
      -- Failed requests and journeys of a run, and those that it was to make.
      ALTER TABLE runs ADD COLUMN failed INTEGER;
      ALTER TABLE runs ADD COLUMN due INTEGER`),
};
