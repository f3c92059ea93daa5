import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { childEnvironment } from './childEnvironment.ts';

/**
 * Identifies the owner of a run. Process IDs are reused sooner or later, so the identity includes the start time of the process and the
 * boot of the machine.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time of the process in the system's own format; an empty text if unknown. */
  readonly startTime: string;
  /** Identifies the boot of the machine; an empty text if unknown. */
  readonly bootId: string;
  /** Identifies the process ID namespace, because containers have their own; an empty text if unknown. */
  readonly pidNamespace: string;
}

export interface ProcessStatus {
  readonly startTime: string;
  readonly dead: boolean;
}

/** Returns the status of a process; null if there is no such process or the system does not report it. */
export type ReadStatus = (pid: number) => ProcessStatus | null;

/** Silence after which an owner in another container counts as gone, because its process is not visible here. */
const MAX_FOREIGN_SILENCE_MS = 30_000;
/**
 * Silence after which a process with an unknown start time counts as another process with the same ID. Even a slow owner sends a heartbeat
 * within this time.
 */
const MAX_UNKNOWN_SILENCE_MS = 120_000;
/** Age of a heartbeat up to which no program is started to look up the owner. */
const RECENT_HEARTBEAT_MS = 5_000;

export function readOwnIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startTime: readStatus(process.pid)?.startTime ?? '',
    bootId: readText('/proc/sys/kernel/random/boot_id'),
    pidNamespace: readNamespace(),
  };
}

/**
 * Returns true if the process has certainly ended, or has most likely ended and certainty is impossible. `heartbeatAgeMs` is the age of its
 * last heartbeat; after a change of the clock it may be any number.
 */
export function isGone(owner: ProcessIdentity, heartbeatAgeMs: number, self: ProcessIdentity, read: ReadStatus = readStatus): boolean {
  if (owner.bootId !== self.bootId) return true;
  if (owner.pidNamespace !== self.pidNamespace) return heartbeatAgeMs > MAX_FOREIGN_SILENCE_MS;
  if (!exists(owner.pid)) return true;
  if (owner.pid === self.pid) return owner.startTime !== self.startTime;
  if (owner.bootId === '' && Math.abs(heartbeatAgeMs) < RECENT_HEARTBEAT_MS) return false;
  const status = read(owner.pid);
  if (status?.dead === true) return true;
  if (status === null || owner.startTime === '') return heartbeatAgeMs > MAX_UNKNOWN_SILENCE_MS;
  return status.startTime !== owner.startTime;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: the process exists and belongs to another user.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** Returns the status of a process. Always returns null on Windows, where a lookup takes half a second; there only the heartbeat counts. */
export const readStatus: ReadStatus = (pid) => {
  if (process.platform === 'linux') return readFromProc(pid);
  return process.platform === 'win32' ? null : readFromPs(pid);
};

function readFromProc(pid: number): ProcessStatus | null {
  const text = readText(`/proc/${pid}/stat`);
  return text === '' ? null : parseStatus(text);
}

/** Parses state (field 3) and start time (field 22) of /proc/PID/stat: see proc(5). The name in field 2 may contain spaces and brackets. */
export function parseStatus(text: string): ProcessStatus | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return null;
  return { startTime, dead: state === 'Z' || state === 'X' };
}

/** Returns the status from the program ps, on POSIX systems without /proc. Takes some milliseconds. */
export function readFromPs(pid: number): ProcessStatus | null {
  try {
    // ps prints local time in the user's language. Fixed settings make the texts comparable.
    const env = { ...childEnvironment(), TZ: 'UTC', LC_ALL: 'C' };
    const text = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env, encoding: 'utf8', timeout: 2_000, stdio: 'pipe' });
    const [, state = '', startTime = ''] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(text) ?? [];
    return startTime === '' ? null : { startTime, dead: state.startsWith('Z') };
  } catch {
    return null;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function readNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
