import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

/** Between two looks at the processors: the first one comes soon, since until then a core counts as free. */
const FIRST_INTERVAL_US = 100_000;
const INTERVAL_US = 250_000;
/** Of a core: what the main thread and the system may use of the one that a waiting thread keeps busy. */
const TOLERATED_CORES = 0.1;

/** Cores of this computer that were used between two looks at it. */
export interface CoreUse {
  /** Idle, of those that this process may use. */
  readonly idle: number;
  /** Of those that this process may use at a time, less what it used. */
  readonly left: number;
  /** Used by the thread that asks. */
  readonly own: number;
}

/** Whether `threads` threads may keep a core busy each, and nobody has to wait for one: not the server, if it runs on the same computer. */
export function areCoresSpare({ idle, left, own }: CoreUse, threads: number): boolean {
  return Math.min(idle, left) - threads * (1 - own) >= -TOLERATED_CORES;
}

interface Counts {
  readonly atUs: number;
  readonly idleUs: number;
  readonly processUs: number;
  readonly ownUs: number;
}

/** Tells a thread from time to time whether it may wait actively. One for each thread. */
export class SpareCores {
  private readonly threads: number;
  private readonly allowed = allowedCpus();
  private before: Counts;
  private dueUs: number;
  private areSpare = true;

  /** `threads`: those of this process that wait in the same way. */
  constructor(threads: number, nowUs: number) {
    this.threads = threads;
    this.before = this.counts(nowUs);
    this.dueUs = nowUs + FIRST_INTERVAL_US;
  }

  at(nowUs: number): boolean {
    if (nowUs < this.dueUs) return this.areSpare;
    const after = this.counts(nowUs);
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

  private counts(atUs: number): Counts {
    const { allowed } = this;
    const idleMs = cpus().reduce((sum, { times }, cpu) => (allowed === null || allowed.has(cpu) ? sum + times.idle : sum), 0);
    return { atUs, idleUs: idleMs * 1_000, processUs: sumOf(process.cpuUsage()), ownUs: sumOf(process.threadCpuUsage()) };
  }
}

function sumOf({ user, system }: { readonly user: number; readonly system: number }): number {
  return user + system;
}

/** Numbers of the processors that this process may use; null where the system does not say. */
function allowedCpus(): ReadonlySet<number> | null {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return list === undefined ? null : numbersIn(list);
  } catch {
    return null;
  }
}

/** `0-3,8` as the kernel writes it. */
export function numbersIn(list: string): ReadonlySet<number> {
  const ranges = list.split(',').map((range) => range.split('-').map(Number));
  return new Set(ranges.flatMap(([first = 0, last = first]) => Array.from({ length: last - first + 1 }, (_, index) => first + index)));
}
