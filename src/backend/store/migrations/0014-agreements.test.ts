import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { agreements } from './0014-agreements.ts';

it('adds a table of agreements with unique hashes', () => {
  const database = new Database(':memory:');
  agreements.up(database);
  const add = database.prepare("INSERT INTO agreements VALUES ('a', '2026')");
  add.run();
  expect(() => add.run()).toThrow('UNIQUE');
  database.close();
});
