import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runs } from './0001-runs.ts';
import { rules } from './0016-rules.ts';

it('adds the rules that a run was judged by, unknown of runs that are there already', () => {
  const database = new Database(':memory:');
  runs.up(database);
  rules.up(database);
  expect(database.pragma('table_info(runs)')).toContainEqual(expect.objectContaining({ name: 'rules', type: 'INTEGER', notnull: 0 }));
  database.close();
});
