import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runs } from './0001-runs.ts';
import { visits } from './0015-visits.ts';

it('adds visits that are deleted with their run', () => {
  const database = new Database(':memory:');
  runs.up(database);
  visits.up(database);
  database.pragma('foreign_keys = OFF');
  database.exec("INSERT INTO visit_facts VALUES (7, '{}'); INSERT INTO visits VALUES (7, 0, '{}', NULL)");
  expect(() => database.exec("INSERT INTO visits VALUES (7, 0, '{}', NULL)")).toThrow('UNIQUE');
  expect(database.pragma('foreign_key_list(visits)')).toMatchObject([{ table: 'runs', on_delete: 'CASCADE' }]);
  database.close();
});
