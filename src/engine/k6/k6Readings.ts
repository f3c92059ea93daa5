import { availableParallelism } from 'node:os';
import { readFileSync } from 'node:fs';
import type { Plan } from '#core/plan/schema/plan.ts';
import { unknownReading } from '#core/result/readings.ts';
import type { GeneratorReading } from '#core/result/schema.ts';
import type { Window } from '#core/measurement/window.ts';
import { emptyWindow } from '#core/measurement/windowFold.ts';
import { SelfWatch, overloadCauses } from '../selfWatch.ts';

/**
 * Number of ticks per second. Linux always reports process times in hundredths of a second, whatever its kernel uses: proc(5), sysconf(3).
 */
const TICKS_PER_SECOND = 100;

/** Measures the share of all cores that k6 used between two readings, from 0 to 1. */
class K6Cpu {
  private readonly pid: number;
  private readonly cores: number;
  private before: { readonly ticks: number; readonly atMs: number } | null = null;

  constructor(pid: number, cores: number) {
    this.pid = pid;
    this.cores = cores;
  }

  /** Returns the share since the last reading; null at the first reading and on systems without /proc. */
  read(nowMs: number): number | null {
    const ticks = parseTicks(readStat(this.pid));
    if (ticks === null) return null;
    const { before } = this;
    this.before = { ticks, atMs: nowMs };
    if (before === null || nowMs <= before.atMs) return null;
    const seconds = (nowMs - before.atMs) / 1_000;
    return Math.min(1, (ticks - before.ticks) / TICKS_PER_SECOND / seconds / this.cores);
  }
}

/**
 * Returns user plus system time in ticks from the text of /proc/PID/stat; null for any other text. The program name is in brackets and may
 * contain any character.
 */
export function parseTicks(stat: string): number | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks : null;
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

/** Reads the state of this machine at the end of each second, and keeps it until the window of that second is complete. */
export class K6Readings {
  private readonly plan: Plan;
  private readonly watch: SelfWatch;
  private readonly cpu: K6Cpu | null;
  private readonly kept = new Map<number, GeneratorReading>();
  private nextSecond = 0;

  constructor(plan: Plan, pid: number | null) {
    this.plan = plan;
    this.watch = new SelfWatch(plan);
    this.cpu = pid === null ? null : new K6Cpu(pid, availableParallelism());
  }

  start(): void {
    this.watch.start();
  }

  /** Must be called several times a second. `second` is the elapsed time of the load. */
  look(second: number): void {
    this.watch.look();
    const completedSecond = Math.floor(second) - 1;
    if (completedSecond < this.nextSecond) return;
    this.nextSecond = completedSecond + 1;
    this.kept.set(completedSecond, this.read(completedSecond));
  }

  /** Waits while the target still stores items after its last response. Resolves to whether the plan watches such items. */
  waitUntilConstant(): Promise<boolean> {
    return this.watch.waitUntilConstant();
  }

  stop(): void {
    this.watch.stop();
  }

  /** Returns the reading of a window's second, with the causes of overload. */
  of(window: Window): GeneratorReading {
    const reading = this.kept.get(window.second) ?? unknownReading(window.second);
    this.kept.delete(window.second);
    return { ...reading, overloadedBy: overloadCauses(reading, window, this.plan) };
  }

  /** Takes a reading now, for a window that has none. */
  now(second: number): void {
    this.kept.set(second, this.read(second));
  }

  private read(second: number): GeneratorReading {
    // k6 spreads its work over all cores, so its limit is the whole machine and not one thread.
    const threadCpu = this.cpu?.read(performance.now()) ?? null;
    const health = { threadCpu, threadWait: null, eventLoopDelayMs: null, garbageCollectionMs: null, stoodStillMs: 0 };
    return this.watch.read(emptyWindow(second, 1), [health]);
  }
}
