import { mkdirSync, accessSync, constants, statSync, closeSync, fchmodSync, fstatSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, posix, resolve, win32, join } from 'node:path';
import { codeOf, HoldfastError } from '#core/base/errors.ts';

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns the data directory: HOLDFAST_HOME, or `holdfast` in the platform's directory for application data. */
export function dataDirectoryFor({ platform, home, environment }: Surroundings): string {
  const chosen = environment['HOLDFAST_HOME'];
  if (chosen) return resolve(chosen);
  switch (platform) {
    case 'win32':
      return win32.join(environment['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), 'holdfast');
    case 'darwin':
      return posix.join(home, 'Library', 'Application Support', 'holdfast');
    default: {
      // The XDG specification requires that relative paths are ignored.
      const shared = environment['XDG_DATA_HOME'];
      return posix.join(shared?.startsWith('/') ? shared : posix.join(home, '.local', 'share'), 'holdfast');
    }
  }
}

/** Returns the data directory of this process, which may not exist yet. */
export function defaultDataDirectory(): string {
  return dataDirectoryFor({ platform: process.platform, home: homedir(), environment: process.env });
}

/** Returns the folder of added presets within the data directory. */
export function addedPresetsIn(dataDirectory: string): string {
  return resolve(dataDirectory, 'presets');
}

/** Creates the directory for its owner only and checks that it can be written. Throws `DATA_DIRECTORY`. */
export function prepareDataDirectory(directory: string): void {
  try {
    createDirectory(resolve(directory, 'logs'));
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'DATA_DIRECTORY',
        message: `The data directory ${directory} cannot be written (${codeOf(cause) ?? String(cause)}).`,
        hint: 'Make it writable for you, or set HOLDFAST_HOME to a writable directory. Nothing was changed.',
      },
      { cause },
    );
  }
}

/** Creates one directory after the other. With `recursive`, Node never returns if an existing parent refuses with ENOENT, as /proc does. */
function createDirectory(path: string): void {
  if (isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) createDirectory(parent);
  try {
    mkdirSync(path, { mode: OWNER_ONLY.folder });
  } catch (thrown) {
    // Another process may have created the directory in the meantime.
    if (codeOf(thrown) !== 'EEXIST' || !isDirectory(path)) throw thrown;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** File modes for the owner only. Windows has no such modes. */
export const OWNER_ONLY = { folder: 0o700, file: 0o600 };
const OTHERS_MODE_BITS = 0o077;

/** Creates an empty file for its owner only, whatever the umask. An existing file stays as it is. */
export function createForOwner(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY.file));
}

/**
 * Restricts files in the data directory that an earlier version or a copy left readable to others: database, copies, logs, addresses with
 * tokens. The directory itself is not changed, because it may be shared on purpose. Returns a text about what others can do with the
 * directory, or null.
 */
export function closeToOthers(directory: string, databaseName: string): string | null {
  if (process.platform === 'win32') return null;
  for (const folder of ['logs', 'backups', 'web']) {
    restrictToOwner(join(directory, folder), OWNER_ONLY.folder);
    for (const name of listNames(join(directory, folder))) restrictToOwner(join(directory, folder, name), OWNER_ONLY.file);
  }
  for (const name of readdirSync(directory)) if (name.startsWith(databaseName)) restrictToOwner(join(directory, name), OWNER_ONLY.file);
  const mode = statSync(directory).mode & 0o777 & OTHERS_MODE_BITS;
  if (mode === 0) return null;
  const may = (mode & 0o022) === 0 ? 'look into' : 'change files in';
  return `Others on this computer may ${may} the data directory ${directory}. Only you can read its database and logs. To close the directory, too: chmod 700 '${directory.replaceAll("'", String.raw`'\''`)}'`;
}

/** Restricts a file or folder to its owner. Does not change the target of a link. */
function restrictToOwner(path: string, mode: number): void {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((fstatSync(file).mode & OTHERS_MODE_BITS) !== 0) fchmodSync(file, mode);
  } catch {
    // The path does not exist, is a link, or belongs to another user, who may have opened it to others on purpose.
  } finally {
    if (file !== null) closeSync(file);
  }
}

function listNames(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}
