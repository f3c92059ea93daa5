import type { Migration } from './migration.ts';

/** The version of the rules that judged a run; null for older runs. */
export const rules: Migration = {
  version: 16,
  name: 'rules',
  up(database) {
    database.exec('ALTER TABLE runs ADD COLUMN rules INTEGER');
  },
};
