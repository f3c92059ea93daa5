import { createHash } from 'node:crypto';
// oxlint-disable-next-line no-restricted-imports -- this file names the folders
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
// oxlint-disable-next-line no-restricted-imports -- this file names the folders
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { isGone, readOwnIdentity, readStatus, type ProcessIdentity, type ReadStatus } from './processIdentity.ts';

/**
 * Matches `holdfast-KIND-PID-START-NAMESPACE-RANDOM`. The name is short because the path of a Unix socket in the folder may have only 104
 * characters.
 */
const FOLDER_NAME_PATTERN = /^holdfast-[a-z\d]+-(\d+)-([\da-f]{0,8})-(\d*)-\w{6}$/;
/** Matches folders whose leftover programs are ended when they are removed. */
const PROGRAM_FOLDER_PATTERN = /^holdfast-(?:k6|lab)-/;
/**
 * Age at which a folder of another container is removed. The processes of that container are not visible here, and no folder is needed for
 * so long.
 */
const FOREIGN_AGE_MS = 24 * 3_600_000;
/**
 * Assumed silence of an owner, because a folder's age shows nothing about it. It is long enough to check the process, and too short to
 * assume that it has ended.
 */
const ASSUMED_SILENCE_MS = 60_000;

/**
 * Creates a folder for temporary files that only this user may enter. By its name, which identifies the owner, {@link sweepOwnFolders} can
 * remove it later.
 */
export async function makeOwnFolder(kind: FolderKind): Promise<string> {
  return mkdtemp(folderPrefix(kind));
}

/** Synchronous version of {@link makeOwnFolder}. */
export function makeOwnFolderSync(kind: FolderKind): string {
  return mkdtempSync(folderPrefix(kind));
}

type FolderKind = 'agent' | 'browser' | 'k6' | 'lab' | 'node' | 'pdf' | 'store';

function folderPrefix(kind: FolderKind): string {
  const self = readOwnIdentity();
  return join(tmpdir(), `holdfast-${kind}-${self.pid}-${startOf(self)}-${readPidNamespace(self)}-`);
}

/**
 * Removes a folder of {@link makeOwnFolder} with its contents. Tries several times, because a killed program may still write to it or hold
 * files open.
 */
export async function removeOwnFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

/** Removes the folders of killed processes, and ends the programs left in them. Keeps the folders of other owners. */
export async function sweepOwnFolders(nowMs = Date.now()): Promise<void> {
  const self = readOwnIdentity();
  const folder = tmpdir();
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    if (!isLeftover(name, path, self, nowMs)) continue;
    if (PROGRAM_FOLDER_PATTERN.test(name)) endProcessesIn(path);
    await removeOwnFolder(path).catch(() => {});
  }
}

/**
 * Ends programs that outlived the owner of their folder: nginx, for example, does not end with its parent. Ends only processes whose
 * working directory is in the folder and that have no terminal, because a user's shell has one. Works only on Linux, because other systems
 * do not report working directories.
 */
export function endProcessesIn(folder: string): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || !hasWorkingDirectoryIn(pid, folder) || hasTerminal(pid)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended, or this user may not end it.
    }
  }
}

function hasWorkingDirectoryIn(pid: number, folder: string): boolean {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}${sep}`.startsWith(`${folder}${sep}`);
  } catch {
    return false;
  }
}

/**
 * Returns whether a process has a terminal, from field 7 (tty_nr) of /proc/PID/stat: see proc(5). An unreadable process counts as having a
 * terminal.
 */
function hasTerminal(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[4] !== '0';
  } catch {
    return true;
  }
}

function isLeftover(name: string, path: string, self: ProcessIdentity, nowMs: number): boolean {
  const [, pid, start = '', namespace = ''] = FOLDER_NAME_PATTERN.exec(name) ?? [];
  const age = pid === undefined ? null : ageMs(path, nowMs);
  if (pid === undefined || age === null) return false;
  if (namespace !== readPidNamespace(self)) return age > FOREIGN_AGE_MS;
  // The folder's name contains a digest of the start time, so digests are compared.
  const digestIdentity = (bare: ProcessIdentity): ProcessIdentity => ({ ...bare, startTime: startOf(bare) });
  const read: ReadStatus = (id) => {
    const status = readStatus(id);
    return status && { ...status, startTime: startOf({ ...self, startTime: status.startTime }) };
  };
  const silentMs = age > FOREIGN_AGE_MS ? age : ASSUMED_SILENCE_MS;
  return isGone({ ...self, pid: Number(pid), startTime: start }, silentMs, digestIdentity(self), read);
}

/** Returns a short digest of the boot and the start time of a process; an empty text if they are unknown. */
function startOf({ bootId, startTime }: ProcessIdentity): string {
  return startTime === '' ? '' : createHash('sha256').update(`${bootId} ${startTime}`).digest('hex').slice(0, 8);
}

function readPidNamespace({ pidNamespace }: ProcessIdentity): string {
  return /\d+/.exec(pidNamespace)?.[0] ?? '';
}

/**
 * Returns the age of a folder in milliseconds. Returns null if the path is not a folder or belongs to another user, because anyone can
 * create such a name in a shared temporary folder.
 */
function ageMs(path: string, nowMs: number): number | null {
  try {
    const stats = lstatSync(path);
    return stats.isDirectory() && stats.uid === (process.getuid?.() ?? stats.uid) ? nowMs - stats.mtimeMs : null;
  } catch {
    return null;
  }
}
