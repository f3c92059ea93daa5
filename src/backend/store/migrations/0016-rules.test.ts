import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runs } from './0001-runs.ts';
import { rules } from './0016-rules.ts';

it('adds the version of the verdict rules, null for existing runs', () => {
  const database = new Database(':memory:');
  runs.up(database);
  rules.up(database);
  expect(database.pragma('table_info(runs)')).toContainEqual(expect.objectContaining({ name: 'rules', type: 'INTEGER', notnull: 0 }));
  database.close();
});
