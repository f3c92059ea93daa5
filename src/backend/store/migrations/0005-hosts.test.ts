import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { hosts } from './0005-hosts.ts';

it('migration 5 keeps one host per name, ignoring case', () => {
  const database = new Database(':memory:');
  hosts.up(database);
  database.exec(`INSERT INTO hosts (name, host) VALUES ('Web', '{}')`);
  expect(() => database.exec(`INSERT INTO hosts (name, host) VALUES ('web', '{}')`)).toThrow(/UNIQUE/);
  expect(database.prepare(`SELECT host FROM hosts WHERE name = 'WEB'`).pluck().all()).toEqual(['{}']);
  database.close();
});
