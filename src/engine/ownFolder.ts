import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { isGone, ownIdentity, readStatus, type ProcessIdentity, type ReadStatus } from './processIdentity.ts';

/** `holdfast-KIND-PID-START-NAMESPACE-RANDOM`. Short: the path of a Unix socket in it may have 104 characters. */
const NAME = /^holdfast-[a-z\d]+-(\d+)-([\da-f]{0,8})-(\d*)-\w{6}$/;
/** Programs work in these, and go with them. */
const HOLDS_PROGRAMS = /^holdfast-(?:k6|lab)-/;
/** Processes of another container cannot be looked up; none of these folders is needed for so long. */
const FOREIGN_AGE_MS = 24 * 3_600_000;
/** A folder is not touched while its owner lives, so its age says nothing: long enough to look, too short to give the owner up. */
const UNKNOWN_SILENCE_MS = 60_000;

/** A new folder for temporary files that only this user may enter. Its name tells whose it is, so that it does not outlive its owner for long. */
export async function makeOwnFolder(kind: FolderKind): Promise<string> {
  return mkdtemp(beginningOf(kind));
}

/** Synchronous version of {@link makeOwnFolder}. */
export function makeOwnFolderSync(kind: FolderKind): string {
  return mkdtempSync(beginningOf(kind));
}

type FolderKind = 'agent' | 'browser' | 'k6' | 'lab' | 'node' | 'pdf' | 'store';

function beginningOf(kind: FolderKind): string {
  const self = ownIdentity();
  return join(tmpdir(), `holdfast-${kind}-${self.pid}-${startOf(self)}-${namespaceOf(self)}-`);
}

/** Removes such a folder with all that is in it. What a program that was killed still writes, or holds open, must not keep it. */
export async function removeOwnFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

/** Removes the folders of processes that were killed before they could, and ends the programs that were left in them. What belongs to others is left alone. */
export async function sweepOwnFolders(nowMs = Date.now()): Promise<void> {
  const self = ownIdentity();
  const folder = tmpdir();
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    if (!isLeft(name, path, self, nowMs)) continue;
    if (HOLDS_PROGRAMS.test(name)) endProcessesIn(path);
    await removeOwnFolder(path).catch(() => {});
  }
}

/**
 * Ends what still runs in a folder whose owner was killed together with everything that would have ended its programs: nginx knows nothing of
 * who started it. Ours are without doubt those whose working directory lies there and that have no terminal; a shell in which a person looks at
 * the folder has one. Linux only: other systems do not tell where a process works.
 */
export function endProcessesIn(folder: string): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || !worksIn(pid, folder) || hasTerminal(pid)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile, or is not ours to end.
    }
  }
}

function worksIn(pid: number, folder: string): boolean {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}${sep}`.startsWith(`${folder}${sep}`);
  } catch {
    return false;
  }
}

/** Field 7 of /proc/PID/stat, tty_nr: see proc(5). One that cannot be read is left alone. */
function hasTerminal(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[4] !== '0';
  } catch {
    return true;
  }
}

function isLeft(name: string, path: string, self: ProcessIdentity, nowMs: number): boolean {
  const [, pid, start = '', namespace = ''] = NAME.exec(name) ?? [];
  const age = pid === undefined ? null : ageMs(path, nowMs);
  if (pid === undefined || age === null) return false;
  if (namespace !== namespaceOf(self)) return age > FOREIGN_AGE_MS;
  // The name holds a digest of the start: so does what it is compared with.
  const digested = (bare: ProcessIdentity): ProcessIdentity => ({ ...bare, startTime: startOf(bare) });
  const read: ReadStatus = (id) => {
    const status = readStatus(id);
    return status && { ...status, startTime: startOf({ ...self, startTime: status.startTime }) };
  };
  const silentMs = age > FOREIGN_AGE_MS ? age : UNKNOWN_SILENCE_MS;
  return isGone({ ...self, pid: Number(pid), startTime: start }, silentMs, digested(self), read);
}

/** Which boot and instant a process was started at, in few characters; empty where that is not known. */
function startOf({ bootId, startTime }: ProcessIdentity): string {
  return startTime === '' ? '' : createHash('sha256').update(`${bootId} ${startTime}`).digest('hex').slice(0, 8);
}

function namespaceOf({ pidNamespace }: ProcessIdentity): string {
  return /\d+/.exec(pidNamespace)?.[0] ?? '';
}

/** Age of a folder; null if the path is no folder or belongs to another user: where all may write, anyone can create a folder with such a name. */
function ageMs(path: string, nowMs: number): number | null {
  try {
    const stats = lstatSync(path);
    return stats.isDirectory() && stats.uid === (process.getuid?.() ?? stats.uid) ? nowMs - stats.mtimeMs : null;
  } catch {
    return null;
  }
}
