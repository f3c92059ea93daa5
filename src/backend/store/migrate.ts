import { mkdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { HoldfastError } from '#core/base/errors.ts';
import { createForOwner } from '../ownerOnly.ts';
import type { Migration } from './migrations/migration.ts';

/** "HoFa" identifies the file as ours (see `PRAGMA application_id`). */
export const APPLICATION_ID = 0x486f4661;

/** Returns the schema version of the file; 0 for a new file. */
export function schemaVersion(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/** Throws `STORE_NEWER` if a newer Holdfast wrote the file. */
export function refuseNewer(database: Database, latest: number, path: string): void {
  const version = schemaVersion(database);
  if (version <= latest) return;
  throw new HoldfastError({
    code: 'STORE_NEWER',
    message: `The database ${path} has format ${version}; this Holdfast supports formats up to ${latest}.`,
    hint: 'A newer Holdfast has used it. Update Holdfast, or set HOLDFAST_HOME to another directory to start with no data. Nothing was changed.',
    data: { version, latest },
  });
}

/**
 * Migrates the file to the latest version. Copies a file with data first. All steps run in one transaction, which reads the version again:
 * another process may have migrated meanwhile. Returns the path of the copy, or null.
 */
export function migrate(database: Database, migrations: readonly Migration[], path: string, now: Date): string | null {
  const latest = migrations.at(-1)?.version ?? 0;
  refuseNewer(database, latest, path);
  const from = schemaVersion(database);
  if (from === latest) return null;
  const copy = from > 0 ? copyBefore(database, path, from, now) : null;
  database
    .transaction(() => {
      refuseNewer(database, latest, path);
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

function copyBefore(database: Database, path: string, version: number, now: Date): string {
  const directory = join(dirname(path), 'backups');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stamp = now.toISOString().replaceAll(/[:.]/g, '-');
  const copy = join(directory, `${basename(path, extname(path))}-format-${version}-${stamp}-${process.pid}.sqlite`);
  createForOwner(copy);
  database.prepare('VACUUM INTO ?').run(copy);
  return copy;
}
