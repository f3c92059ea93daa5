import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { paths } from './0009-paths.ts';

it('migration 9 keeps one measurement per host and target', () => {
  const database = new Database(':memory:');
  paths.up(database);
  const insert = database.prepare('INSERT INTO paths (place, target, path) VALUES (?, ?, ?)');
  insert.run('web1', 'http://10.0.0.1', '{}');
  insert.run('web1', 'http://10.0.0.2', '{}');
  expect(() => insert.run('WEB1', 'http://10.0.0.1', '{}')).toThrow(/UNIQUE/);
  database.close();
});
