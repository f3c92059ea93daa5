import { readFileSync, readlinkSync } from 'node:fs';

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

/** An owner in another container cannot be looked up; it counts as gone when it has not been heard of for this long. */
const UNSEEN_OWNER_GONE_MS = 30_000;

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startTime: processStatus(process.pid)?.startTime ?? '',
    bootId: readText('/proc/sys/kernel/random/boot_id'),
    pidNamespace: readNamespace(),
  };
}

/** True when the process is certainly no longer there. `heartbeatAgeMs` is the time since it was last heard of. */
export function isGone(owner: ProcessIdentity, heartbeatAgeMs: number, self: ProcessIdentity): boolean {
  if (owner.bootId !== self.bootId) return true;
  if (owner.pidNamespace !== self.pidNamespace) return heartbeatAgeMs > UNSEEN_OWNER_GONE_MS;
  if (!exists(owner.pid)) return true;
  const status = processStatus(owner.pid);
  if (!status) return false;
  return status.dead || (owner.startTime !== '' && status.startTime !== owner.startTime);
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

function processStatus(pid: number): { startTime: string; dead: boolean } | null {
  const text = readText(`/proc/${pid}/stat`);
  return text === '' ? null : parseStatus(text);
}

/** Reads state (field 3) and start time (field 22) of /proc/PID/stat; see proc(5). The name in field 2 may hold spaces and brackets. */
export function parseStatus(text: string): { startTime: string; dead: boolean } | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return null;
  return { startTime, dead: state === 'Z' || state === 'X' };
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
