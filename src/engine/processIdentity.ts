import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { childEnvironment } from './childEnvironment.ts';

/**
 * Who owns a run. A process id alone is not enough: it is given to another process sooner or later, so the instant at which
 * the process started and the boot of the machine belong to it.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start of the process as the system counts it; empty where it cannot be known. */
  readonly startTime: string;
  /** Names the boot of the machine; empty where it cannot be known. */
  readonly bootId: string;
  /** Names the set of process ids that `pid` belongs to (containers have their own); empty where it cannot be known. */
  readonly pidNamespace: string;
}

/** What the system tells of a process. */
export interface ProcessStatus {
  readonly startTime: string;
  readonly dead: boolean;
}

/** Reads it; null where the process is not there or the system does not tell. */
export type ReadStatus = (pid: number) => ProcessStatus | null;

/** An owner in another container cannot be looked up; it counts as gone when it has not been heard of for this long. */
const UNSEEN_OWNER_GONE_MS = 30_000;
/** A process whose start cannot be read may be another one with the same id; the owner would have been heard of within this time, however slow it is. */
const DOUBTFUL_OWNER_GONE_MS = 120_000;
/** An owner that was heard of so lately needs no program to be asked about it. */
const SURELY_THERE_MS = 5_000;

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startTime: readStatus(process.pid)?.startTime ?? '',
    bootId: readText('/proc/sys/kernel/random/boot_id'),
    pidNamespace: readNamespace(),
  };
}

/**
 * True when the process is certainly no longer there, or where that cannot be told, most likely. `heartbeatAgeMs` is the time since it was last heard
 * of; by a clock that was set, it may be anything.
 */
export function isGone(owner: ProcessIdentity, heartbeatAgeMs: number, self: ProcessIdentity, read: ReadStatus = readStatus): boolean {
  if (owner.bootId !== self.bootId) return true;
  if (owner.pidNamespace !== self.pidNamespace) return heartbeatAgeMs > UNSEEN_OWNER_GONE_MS;
  if (!exists(owner.pid)) return true;
  if (owner.pid === self.pid) return owner.startTime !== self.startTime;
  if (owner.bootId === '' && Math.abs(heartbeatAgeMs) < SURELY_THERE_MS) return false;
  const status = read(owner.pid);
  if (status?.dead === true) return true;
  if (status === null || owner.startTime === '') return heartbeatAgeMs > DOUBTFUL_OWNER_GONE_MS;
  return status.startTime !== owner.startTime;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: it exists and belongs to somebody else.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** Windows would have to be asked by a program that takes half a second: there the heartbeat tells. */
export const readStatus: ReadStatus = (pid) => {
  if (process.platform === 'linux') return readFromProc(pid);
  return process.platform === 'win32' ? null : readFromPs(pid);
};

function readFromProc(pid: number): ProcessStatus | null {
  const text = readText(`/proc/${pid}/stat`);
  return text === '' ? null : parseStatus(text);
}

/** Reads state (field 3) and start time (field 22) of /proc/PID/stat; see proc(5). The name in field 2 may hold spaces and brackets. */
export function parseStatus(text: string): ProcessStatus | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return null;
  return { startTime, dead: state === 'Z' || state === 'X' };
}

/** By ps, as POSIX systems without /proc have it: some milliseconds. */
export function readFromPs(pid: number): ProcessStatus | null {
  try {
    // The start is told in local time and words of a language: both are fixed, so that it is the same text whoever asks.
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
