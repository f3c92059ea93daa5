import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { HoldfastError } from '#core/base/errors.ts';

/** Codes of errors of the disk or of the store itself, which do not depend on the data. */
const REFUSALS: ReadonlySet<string> = new Set([
  'DISK_FULL',
  'DISK_FAILED',
  'STORE_BUSY',
  'STORE_READ_ONLY',
  'STORE_CORRUPT',
  'STORE_FAILED',
]);

/** Returns whether the disk or the store failed, rather than the data being invalid. */
export function isStoreFailure(thrown: unknown): boolean {
  return thrown instanceof HoldfastError && REFUSALS.has(thrown.code);
}

/** Converts an SQLite error to a HoldfastError; returns other values unchanged. `path` is the database file. */
export function storeFailure(thrown: unknown, path: string): unknown {
  if (!(thrown instanceof Database.SqliteError)) return thrown;
  const problem = storeProblem(thrown.code, path);
  return new HoldfastError(
    problem ?? { ...unexpectedProblem(path), message: `The database ${path} failed: ${thrown.message} (${thrown.code}).` },
    { cause: thrown },
  );
}

/** Runs `work` and converts SQLite errors to HoldfastErrors. */
export function withStoreFailures<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    throw storeFailure(thrown, path);
  }
}

function storeProblem(code: string, path: string): { code: string; message: string; hint: string } | null {
  // SQLite also needs space for files beside the database. If there is none, SQLite reports a failed read or open.
  const isFull = code === 'SQLITE_FULL' || (/^SQLITE_(?:IOERR|CANTOPEN)/.test(code) && isDiskFull(path));
  if (isFull) return diskFullProblem(path);
  if (code.startsWith('SQLITE_IOERR'))
    return {
      code: 'DISK_FAILED',
      message: `The disk of the database ${path} cannot be read or written (${code}).`,
      hint: 'Probably it is defective or gone, or your quota is used up. The system log shows more (dmesg, journalctl -k). Everything stored so far is kept. To continue, set HOLDFAST_HOME to a directory on another disk.',
    };
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return corruptProblem(path);
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN') || code === 'SQLITE_PERM') return readOnlyProblem(path);
  if (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED')
    return {
      code: 'STORE_BUSY',
      message: `The database ${path} is in use by another program.`,
      hint: 'Close that program (a database browser, a backup) and try again.',
    };
  return null;
}

export function diskFullProblem(path: string): { code: string; message: string; hint: string } {
  return {
    code: 'DISK_FULL',
    message: `No room left to write the database ${path}.`,
    hint: 'Free some space on that disk. Everything stored so far is kept.',
  };
}

/** Minimum free space that SQLite needs. SQLite writes whole pages, and has 32 kB of shared memory. */
const MIN_FREE_BYTES = 131_072;

function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < MIN_FREE_BYTES;
  } catch {
    return false;
  }
}

export function readOnlyProblem(path: string): { code: string; message: string; hint: string } {
  return {
    code: 'STORE_READ_ONLY',
    message: `The database ${path} cannot be opened for writing.`,
    hint: 'Make the file and its directory writable for you, or set HOLDFAST_HOME to a writable directory. Nothing was changed.',
  };
}

export function corruptProblem(path: string): { code: string; message: string; hint: string } {
  return {
    code: 'STORE_CORRUPT',
    message: `The database ${path} is damaged, or is not a database of Holdfast. It was not changed.`,
    hint: `Move it away (for example to ${path}.damaged, together with files of the same name that end in -wal and -shm) and start again: Holdfast makes a new one. The folder “backups” beside it may have a copy from before the last change of format.`,
  };
}

function unexpectedProblem(path: string): { code: string; message: string; hint: string } {
  return {
    code: 'STORE_FAILED',
    message: '',
    hint: `Check the disk that holds ${path}. If it is in order, please report this with the log file named in Settings.`,
  };
}
