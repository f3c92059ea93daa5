import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { openDatabase } from './database.ts';
import { schemaVersion, MIGRATIONS } from './migrate.ts';
import { type Migration } from './migrations/migration.ts';

const first: Migration = { version: 1, name: 'first', up: (database) => void database.exec('CREATE TABLE kept (value TEXT) STRICT') };
const second: Migration = { version: 2, name: 'second', up: (database) => void database.exec('ALTER TABLE kept ADD COLUMN more TEXT') };
const failing: Migration = {
  version: 2,
  name: 'failing',
  up(database) {
    database.exec('ALTER TABLE kept ADD COLUMN more TEXT');
    throw new Error('half way');
  },
};

describe('migrations', () => {
  let directory = '';
  let path = '';
  beforeEach(() => {
    directory = temporaryDirectory();
    path = join(directory, 'test.sqlite');
    const database = openDatabase(path, [first]);
    database.prepare('INSERT INTO kept (value) VALUES (?)').run('precious');
    database.close();
  });

  it('have consecutive versions', () => {
    const [first] = MIGRATIONS;
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => (first?.version ?? 0) + index));
  });

  it('refuse a file from before the first migration, and leave it unchanged', () => {
    const before = readFileSync(path);
    expect(() => openDatabase(path, [second])).toThrow(expect.objectContaining({ code: 'STORE_OLDER', data: { version: 1, first: 2 } }));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it.each([
    [16, 'before all migrations became one'],
    [17, 'columns and results have former names'],
  ])('report how a file of format %i differs, and what to do', (version, what) => {
    const old = new Database(path);
    old.pragma(`user_version = ${version}`);
    old.close();
    const hint = expect.stringMatching(new RegExp(`${what}.*export them with the version that wrote it`));
    expect(() => openDatabase(path, [{ ...second, version: 18 }])).toThrow(expect.objectContaining({ code: 'STORE_OLDER', hint }));
  });

  it('keep the data, and save a copy of the file as it was before', () => {
    const database = openDatabase(path, [first, second]);
    expect(schemaVersion(database)).toBe(2);
    expect(database.prepare('SELECT value, more FROM kept').all()).toEqual([{ value: 'precious', more: null }]);
    database.close();
    const [name = ''] = readdirSync(join(directory, 'backups'));
    expect(name).toMatch(/^test-format-1-/);
    const copy = new Database(join(directory, 'backups', name), { readonly: true });
    expect(schemaVersion(copy)).toBe(1);
    expect(copy.prepare('SELECT * FROM kept').all()).toEqual([{ value: 'precious' }]);
    copy.close();
  });

  it('run completely or not at all', () => {
    expect(() => openDatabase(path, [first, failing])).toThrow('half way');
    const database = openDatabase(path, [first]);
    expect(database.prepare('SELECT * FROM kept').all()).toEqual([{ value: 'precious' }]);
    database.close();
  });

  it('make no copy if there is nothing to migrate', () => {
    openDatabase(path, [first]).close();
    expect(readdirSync(directory)).not.toContain('backups');
  });

  it('keep the runs of format 18, whose failures are unknown', () => {
    const older = join(directory, 'older.sqlite');
    const before = openDatabase(older, MIGRATIONS.slice(0, 1));
    before
      .prepare(
        `INSERT INTO runs (id, name, target, holdfast_version, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
          VALUES ('a', 'page', 'http://a/', '1', '2026-01-01', 'finished', 1, '', '', '', 0)`,
      )
      .run();
    before.close();
    const after = openDatabase(older);
    expect(after.prepare('SELECT id, failed, due FROM runs').all()).toEqual([{ id: 'a', failed: null, due: null }]);
    after.close();
  });
});
