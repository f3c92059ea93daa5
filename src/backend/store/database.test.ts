import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { newRun } from '../testing/runs.ts';
import { MIGRATIONS } from './migrate.ts';
import { openDatabase } from './database.ts';
import { DATABASE_NAME, openStore } from './store.ts';

describe('openDatabase', () => {
  let directory = '';
  let path = '';
  beforeEach(() => {
    directory = temporaryDirectory();
    path = join(directory, DATABASE_NAME);
  });

  it('creates a database with strict tables in WAL mode', () => {
    const database = openDatabase(path);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    const tables = database.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0 AND name NOT LIKE 'sqlite%'");
    expect(tables.all()).toEqual([]);
    database.close();
  });

  it('rejects a file of a newer version and leaves it unchanged', () => {
    const database = openDatabase(path);
    database.pragma('user_version = 99');
    database.close();
    const before = readFileSync(path);
    expect(() => openDatabase(path)).toThrow(
      expect.objectContaining({
        code: 'STORE_NEWER',
        message: expect.stringContaining(path),
        data: { version: 99, latest: MIGRATIONS.at(-1)?.version },
      }),
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('rejects a file that is not a database and leaves it unchanged', () => {
    writeFileSync(path, 'This is a letter to my aunt. '.repeat(100));
    const before = readFileSync(path);
    expect(() => openDatabase(path)).toThrow(
      expect.objectContaining({ code: 'STORE_CORRUPT', hint: expect.stringContaining('Move it away') }),
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('rejects the database of another program', () => {
    const other = new Database(path);
    other.exec('CREATE TABLE recipes (name TEXT)');
    other.close();
    expect(() => openDatabase(path)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }));
  });

  it('detects a corrupt file and leaves it unchanged', () => {
    const store = openStore(directory);
    for (let index = 0; index < 200; index++) store.create(newRun(`run-${index}`));
    store.close();
    const damaged = readFileSync(path);
    damaged.fill(0xa5, 32_768, 32_768 * 3);
    writeFileSync(path, damaged);
    expect(() => openDatabase(path)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }));
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });

  it('reports a file or directory that cannot be written', () => {
    const openAsNobody = (what: string): string =>
      execFileSync(process.execPath, [join(import.meta.dirname, '../testing/openAsNobody.ts'), what, directory], { encoding: 'utf8' });
    openDatabase(path).close();
    chmodSync(directory, 0o777);
    chmodSync(path, 0o444);
    expect(openAsNobody('store')).toBe('STORE_READ_ONLY');
    chmodSync(directory, 0o555);
    chmodSync(path, 0o666);
    expect(openAsNobody('store')).toBe('STORE_READ_ONLY');
    expect(openAsNobody('directory')).toBe('DATA_DIRECTORY');
    chmodSync(directory, 0o777);
    expect(openAsNobody('store')).toBe('opened');
  });
});
