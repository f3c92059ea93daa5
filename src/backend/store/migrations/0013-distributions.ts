import type { Migration } from './migration.ts';

/** Stores the time distribution of a run after its first reading, which takes seconds for a run of an hour. */
export const distributions: Migration = {
  version: 13,
  name: 'distributions',
  up(database) {
    database.exec('ALTER TABLE run_details ADD COLUMN distribution BLOB');
  },
};
