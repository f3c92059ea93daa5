import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/** Time until the first check of the processors. The time is short, because a core counts as free until then. */
const FIRST_INTERVAL_US = 100_000;
const INTERVAL_US = 250_000;
/** Maximum shortage of free cores, as a number of cores, because the main thread and the system use a little processor time. */
const MAX_SHORTAGE_CORES = 0.1;

/** Use of this computer's cores between two checks, as a number of cores. */
export interface CoreUse {
  /** Number of idle cores among those that this process may use. */
  readonly idle: number;
  /** Number of cores that this process may use at the same time, minus the number that it used. */
  readonly left: number;
  /** Number of cores that this thread used, 0 to 1. */
  readonly own: number;
}

/** Returns whether each of `threads` threads may keep one core busy without delaying other work, such as a server on the same computer. */
export function areCoresSpare({ idle, left, own }: CoreUse, threads: number): boolean {
  return Math.min(idle, left) - threads * (1 - own) >= -MAX_SHORTAGE_CORES;
}

interface Counts {
  readonly atUs: number;
  readonly idleUs: number;
  readonly processUs: number;
  readonly ownUs: number;
}

/** Checks from time to time whether a thread may wait actively. Each thread has its own instance. */
export class SpareCores {
  private readonly threads: number;
  private readonly allowed = readAllowedCpus();
  private before: Counts;
  private dueUs: number;
  private areSpare = true;

  /** `threads` is the number of threads of this process that wait actively. */
  constructor(threads: number, nowUs: number) {
    this.threads = threads;
    this.before = this.readCounts(nowUs);
    this.dueUs = nowUs + FIRST_INTERVAL_US;
  }

  at(nowUs: number): boolean {
    if (nowUs < this.dueUs) return this.areSpare;
    const after = this.readCounts(nowUs);
    const { before } = this;
    const elapsedUs = Math.max(1, nowUs - before.atUs);
    const use = {
      idle: (after.idleUs - before.idleUs) / elapsedUs,
      left: availableParallelism() - (after.processUs - before.processUs) / elapsedUs,
      own: Math.min(1, (after.ownUs - before.ownUs) / elapsedUs),
    };
    this.areSpare = areCoresSpare(use, this.threads);
    this.before = after;
    this.dueUs = nowUs + INTERVAL_US;
    return this.areSpare;
  }

  private readCounts(atUs: number): Counts {
    const { allowed } = this;
    const idleMs = cpus().reduce((sum, { times }, cpu) => (allowed === null || allowed.has(cpu) ? sum + times.idle : sum), 0);
    return { atUs, idleUs: idleMs * 1_000, processUs: sumOf(process.cpuUsage()), ownUs: sumOf(process.threadCpuUsage()) };
  }
}

function sumOf({ user, system }: { readonly user: number; readonly system: number }): number {
  return user + system;
}

/** Returns the numbers of the processors that this process may use; null if the system does not report them. */
function readAllowedCpus(): ReadonlySet<number> | null {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return list === undefined ? null : parseCpuList(list);
  } catch {
    return null;
  }
}

/** Parses a list in the kernel's format, such as `0-3,8`. */
export function parseCpuList(list: string): ReadonlySet<number> {
  const ranges = list.split(',').map((range) => range.split('-').map(Number));
  return new Set(ranges.flatMap(([first = 0, last = first]) => Array.from({ length: last - first + 1 }, (_, index) => first + index)));
}
