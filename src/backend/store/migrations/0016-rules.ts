import type { Migration } from './migration.ts';

/** By which rules a run was judged; null of runs that are older than the number. */
export const rules: Migration = {
  version: 16,
  name: 'rules',
  up(database) {
    database.exec('ALTER TABLE runs ADD COLUMN rules INTEGER');
  },
};
