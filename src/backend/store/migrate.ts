import type { Migration } from './migrations/migration.ts';
import { mkdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { HoldfastError } from '#core/base/errors.ts';
import { createForOwner } from '../dataDirectory.ts';
import { schema } from './migrations/0018-schema.ts';
import { failures } from './migrations/0019-failures.ts';

/** "HoFa": marks the file as a Holdfast database (see `PRAGMA application_id`). */
export const APPLICATION_ID = 0x486f4661;

/** The first version in which one migration creates all tables. */
const JOINED_VERSION = 17;
const NO_CONVERSION =
  'No release wrote such a file, so it cannot be converted. To keep its results, export them with the version that wrote it. Then move the file away, or set HOLDFAST_HOME to another directory, to start with no data. Nothing was changed.';

/** Returns the version of the schema in the file; 0 for a new file. */
export function schemaVersion(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/**
 * Throws if the migrations cannot start from the file's version: `STORE_NEWER` for a file from a newer Holdfast, `STORE_OLDER` for a file
 * from before the first migration.
 */
export function refuseUnknownVersion(database: Database, migrations: readonly Migration[], path: string): void {
  const version = schemaVersion(database);
  const latest = getLatest(migrations);
  const first = migrations[0]?.version ?? 0;
  if (version > latest)
    throw new HoldfastError({
      code: 'STORE_NEWER',
      message: `The database ${path} has format ${version}; this Holdfast supports formats up to ${latest}.`,
      hint: 'A newer Holdfast has used it. Update Holdfast, or set HOLDFAST_HOME to another directory to start with no data. Nothing was changed.',
      data: { version, latest },
    });
  if (version > 0 && version < first)
    throw new HoldfastError({
      code: 'STORE_OLDER',
      message: `The database ${path} has format ${version}; this Holdfast supports formats from ${first}.`,
      hint: `${version < JOINED_VERSION ? 'Its tables are those of a version before all migrations became one.' : 'Its columns and results have former names.'} ${NO_CONVERSION}`,
      data: { version, first },
    });
}

function getLatest(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/**
 * Migrates the file to the latest version in one transaction; a file with data is copied first. The transaction reads the version again,
 * because another process may have migrated the file in the meantime. Returns the path of the copy, or null if no copy was needed. Throws
 * the errors of {@link refuseUnknownVersion}.
 */
export function migrate(database: Database, migrations: readonly Migration[], path: string, now: Date): string | null {
  refuseUnknownVersion(database, migrations, path);
  const from = schemaVersion(database);
  if (from === getLatest(migrations)) return null;
  const copy = from > 0 ? copyDatabase(database, path, from, now) : null;
  database
    .transaction(() => {
      refuseUnknownVersion(database, migrations, path);
      const current = schemaVersion(database);
      for (const migration of migrations) {
        if (migration.version <= current) continue;
        migration.up(database);
        database.pragma(`user_version = ${migration.version}`);
      }
      database.pragma(`application_id = ${APPLICATION_ID}`);
    })
    .immediate();
  return copy;
}

function copyDatabase(database: Database, path: string, version: number, now: Date): string {
  const directory = join(dirname(path), 'backups');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stamp = now.toISOString().replaceAll(/[:.]/g, '-');
  const copy = join(directory, `${basename(path, extname(path))}-format-${version}-${stamp}-${process.pid}.sqlite`);
  createForOwner(copy);
  database.prepare('VACUUM INTO ?').run(copy);
  return copy;
}

/** All migrations by version. Databases with a version from before the first migration are refused, because no release wrote them. */
export const MIGRATIONS: readonly Migration[] = [schema, failures];
