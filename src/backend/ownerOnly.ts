import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** File modes for the owner only. Windows has no such modes. */
export const OWNER_ONLY = { folder: 0o700, file: 0o600 };
const OTHERS_MODE_BITS = 0o077;

/** Creates an empty file for its owner only, whatever the umask. An existing file stays as it is. */
export function createForOwner(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY.file));
}

/**
 * Restricts files in the data directory that an earlier Holdfast, or a copy, left open: database, copies, logs, addresses with tokens. The
 * directory itself may be shared on purpose and is not changed. Returns a text about what others can do with it, or null.
 */
export function closeToOthers(directory: string, databaseName: string): string | null {
  if (process.platform === 'win32') return null;
  for (const folder of ['logs', 'backups', 'web']) {
    close(join(directory, folder), OWNER_ONLY.folder);
    for (const name of namesIn(join(directory, folder))) close(join(directory, folder, name), OWNER_ONLY.file);
  }
  for (const name of readdirSync(directory)) if (name.startsWith(databaseName)) close(join(directory, name), OWNER_ONLY.file);
  const mode = statSync(directory).mode & 0o777 & OTHERS_MODE_BITS;
  if (mode === 0) return null;
  const may = (mode & 0o022) === 0 ? 'look into' : 'change files in';
  return `Others on this computer may ${may} the data directory ${directory}. Only you can read its database and logs. To close the directory, too: chmod 700 '${directory.replaceAll("'", String.raw`'\''`)}'`;
}

/** Restricts a file or folder to its owner. Does not change the target of a link. */
function close(path: string, mode: number): void {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((fstatSync(file).mode & OTHERS_MODE_BITS) !== 0) fchmodSync(file, mode);
  } catch {
    // The path does not exist, is a link, or belongs to another user, who may want it open.
  } finally {
    if (file !== null) closeSync(file);
  }
}

function namesIn(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}
