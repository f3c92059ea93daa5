import type { Migration } from './migration.ts';

/** How the times of a run are spread is kept once it was read out of its windows, which takes seconds where it lasted for an hour. */
export const distributions: Migration = {
  version: 13,
  name: 'distributions',
  up(database) {
    database.exec('ALTER TABLE run_details ADD COLUMN distribution BLOB');
  },
};
