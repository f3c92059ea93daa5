import { accessSync, constants, existsSync, statSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import { HoldfastError } from '#core/base/errors.ts';
import { createForOwner } from '../dataDirectory.ts';
import { corruptProblem, readOnlyProblem, withStoreFailures } from './failures.ts';
import { APPLICATION_ID, migrate, refuseUnknownVersion, MIGRATIONS } from './migrate.ts';
import { type Migration } from './migrations/migration.ts';

export type SqliteDatabase = Database.Database;

/** Size of a page of the database. Windows have 1 to 6 kB; with pages of up to 16 kB, up to half of the file would be unused. */
const PAGE_BYTES = 32_768;
const BUSY_TIMEOUT_MS = 10_000;
/** Number of pages after which the write-ahead log is checkpointed (4 MB). */
const CHECKPOINT_PAGES = 128;
/**
 * Maximum size of a file that is fully checked, which takes a fraction of a second. Corruption in a larger file is noticed when the corrupt
 * part is read.
 */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

/**
 * Opens or creates the database and migrates it to the latest version. Throws `STORE_CORRUPT`, `STORE_NEWER`, `STORE_OLDER`,
 * `STORE_READ_ONLY`, `STORE_BUSY` or `DISK_FULL`, and leaves the file unchanged then.
 */
export function openDatabase(path: string, migrations: readonly Migration[] = MIGRATIONS, now = new Date()): SqliteDatabase {
  return withStoreFailures(path, () => {
    mustBeWritable(path);
    if (existsSync(path) && statSync(path).size > 0) inspectFile(path, migrations);
    // Creates the file before SQLite does, because SQLite creates its helper files with the mode of this file.
    createForOwner(path);
    return configure(new Database(path, { timeout: BUSY_TIMEOUT_MS }), (database) => migrate(database, migrations, path, now));
  });
}

/** Opens another connection, for a thread, to a database that this process has open. */
export function openAnotherConnection(path: string): SqliteDatabase {
  return withStoreFailures(path, () => configure(new Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })));
}

/** Configures a connection, and closes it on an error. `bringUp` runs before foreign keys are enforced. */
function configure(database: SqliteDatabase, bringUp: (database: SqliteDatabase) => void = () => {}): SqliteDatabase {
  try {
    setPragmas(database);
    bringUp(database);
    database.pragma('foreign_keys = ON');
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/**
 * Throws if the file cannot be written. This is checked first, because SQLite would create helper files beside a read-only file, which
 * nobody could write or remove.
 */
function mustBeWritable(path: string): void {
  try {
    accessSync(dirname(path), constants.R_OK | constants.W_OK | constants.X_OK);
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw new HoldfastError(readOnlyProblem(path), { cause });
  }
}

/** Checks the file through a read-only connection, so that a rejected file stays unchanged. */
function inspectFile(path: string, migrations: readonly Migration[]): void {
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    refuseUnknownVersion(database, migrations, path);
    if (!isOurs(database)) throw new HoldfastError(corruptProblem(path));
    if (statSync(path).size <= MAX_CHECKED_BYTES && database.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new HoldfastError(corruptProblem(path));
  } finally {
    database.close();
  }
}

/**
 * Returns whether the file is new or a Holdfast database. Reads in one transaction, because another process may create tables between two
 * reads.
 */
const isOurs = (database: SqliteDatabase): boolean =>
  database.transaction(() => {
    const application = Number(database.pragma('application_id', { simple: true }));
    const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
    return tables === 0 || application === APPLICATION_ID;
  })();

function setPragmas(database: SqliteDatabase): void {
  // Both settings take effect only on an empty file.
  database.pragma(`page_size = ${PAGE_BYTES}`);
  database.pragma('auto_vacuum = INCREMENTAL');
  switchToWal(database);
  database.pragma('synchronous = FULL');
  // Temporary data stays in memory, because a run must be storable even if its load has used up all file descriptors.
  database.pragma('temp_store = MEMORY');
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}

/** Switches to WAL. The switch is retried, because SQLite does not make it wait for other processes that open the same new file. */
function switchToWal(database: SqliteDatabase): void {
  const deadline = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (thrown) {
      const isBusy = thrown instanceof Database.SqliteError && thrown.code.startsWith('SQLITE_BUSY');
      if (!isBusy || Date.now() > deadline) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** Limits the size of the database to `maxBytes`, like a full disk. */
export function limitSize(database: SqliteDatabase, maxBytes: number): void {
  database.pragma(`max_page_count = ${Math.floor(maxBytes / PAGE_BYTES)}`);
}

/** Runs `work` without waiting for the disk at each commit. SQLite still syncs where consistency requires it. */
export function withoutSync(database: SqliteDatabase, work: () => void): void {
  database.pragma('synchronous = NORMAL');
  try {
    work();
  } finally {
    database.pragma('synchronous = FULL');
  }
}

const FILE_NAME = 'holdfast.reserve';
/** Size of the reserve. The end of a run takes some pages of 32 kB; its result takes up to some hundred kB. */
const RESERVED_BYTES = 2_000_000;

/**
 * Creates the handle of a file that reserves disk space. The file is deleted when the disk is full, so that the run that ended for this
 * reason can still be stored. Processes with the same store share the file.
 */
export function createReserve(directory: string) {
  const path = join(directory, FILE_NAME);
  const bytes = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    /** Creates the file unless it exists. Does nothing if there is too little space. */
    take(): void {
      if (bytes() === RESERVED_BYTES) return;
      try {
        // The data is random, because compressing file systems would reserve no space for zeros.
        writeFileSync(path, randomBytes(RESERVED_BYTES), { mode: 0o600, flush: true });
      } catch {
        rmSync(path, { force: true });
      }
    },
    /** Deletes the file. Returns false if there was no reserve. */
    releaseReserve(): boolean {
      const had = bytes() > 0;
      rmSync(path, { force: true });
      return had;
    },
  };
}
