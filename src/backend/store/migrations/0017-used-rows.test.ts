import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { usedRows } from './0017-used-rows.ts';

it('adds a table of used rows, each hash once', () => {
  const database = new Database(':memory:');
  usedRows.up(database);
  const add = database.prepare("INSERT INTO used_rows VALUES ('a', '2026')");
  add.run();
  expect(() => add.run()).toThrow('UNIQUE');
  database.close();
});
