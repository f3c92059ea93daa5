import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { prepareDataDirectory, closeToOthers } from './dataDirectory.ts';
import { startTestBackend } from './testing/backend.ts';
import { openDatabase } from './store/database.ts';
import { MIGRATIONS } from './store/migrate.ts';
import { DATABASE_NAME } from './store/store.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

const USUAL_UMASK = process.umask(0o000);
process.umask(USUAL_UMASK);
afterEach(() => void process.umask(USUAL_UMASK));

const root = temporaryDirectory();

function open(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(join(directory, name)).mode & 0o077) !== 0,
  );
}

describe.runIf(process.platform !== 'win32')('the files of Holdfast', () => {
  it('are accessible to their owner only, whatever the umask: database, WAL, index and logs', async () => {
    process.umask(0o000);
    const test = await startTestBackend();
    expect(readdirSync(test.dataDirectory)).toEqual(
      expect.arrayContaining([DATABASE_NAME, `${DATABASE_NAME}-wal`, `${DATABASE_NAME}-shm`]),
    );
    expect(open(test.dataDirectory)).toEqual([]);
    await test.close();
  });

  it('include a copy before a migration that is accessible to the owner only', () => {
    process.umask(0o000);
    const directory = join(root, 'migrated');
    prepareDataDirectory(directory);
    const later = { version: (MIGRATIONS.at(-1)?.version ?? 0) + 1, name: 'later', up: () => {} };
    openDatabase(join(directory, 'a.sqlite')).close();
    openDatabase(join(directory, 'a.sqlite'), [...MIGRATIONS, later]).close();
    expect(readdirSync(join(directory, 'backups'))).toHaveLength(1);
    expect(open(directory)).toEqual([]);
  });

  it('in an existing data directory are closed to others, and an open directory is reported', () => {
    const directory = join(root, 'it is mine');
    prepareDataDirectory(directory);
    new Database(join(directory, DATABASE_NAME)).exec('CREATE TABLE a (b)').close();
    chmodSync(join(directory, DATABASE_NAME), 0o644);
    chmodSync(join(directory, 'logs'), 0o755);
    chmodSync(directory, 0o755);
    expect(closeToOthers(directory, DATABASE_NAME)).toMatch(/may look into the data directory .*chmod 700 '.*it is mine'$/);
    expect(open(directory)).toEqual([]);
    chmodSync(directory, 0o700);
    expect(closeToOthers(directory, DATABASE_NAME)).toBeNull();
  });

  it('that are symbolic links keep the permissions of their targets unchanged', () => {
    const [directory, elsewhere] = [temporaryDirectory(), temporaryDirectory()];
    for (const folder of [directory, elsewhere]) mkdirSync(folder, { recursive: true });
    const file = join(elsewhere, 'page.html');
    writeFileSync(file, 'for all', { mode: 0o644 });
    mkdirSync(join(directory, 'web'));
    symlinkSync(file, join(directory, 'web', 'link'));
    symlinkSync(elsewhere, join(directory, 'logs'));
    symlinkSync(file, join(directory, `${DATABASE_NAME}.copy`));
    closeToOthers(directory, DATABASE_NAME);
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });
});
