import { readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second, whatever its kernel does inside: proc(5), sysconf(3). */
const TICKS_PER_SECOND = 100;

/** How much of the cores k6 used between two readings, 0 to 1. */
export class K6Cpu {
  private readonly pid: number;
  private readonly cores: number;
  private before: { readonly ticks: number; readonly atMs: number } | null = null;

  constructor(pid: number, cores: number) {
    this.pid = pid;
    this.cores = cores;
  }

  /** null where the system does not tell, and at the first reading. */
  read(nowMs: number): number | null {
    const ticks = ticksOf(statOf(this.pid));
    if (ticks === null) return null;
    const { before } = this;
    this.before = { ticks, atMs: nowMs };
    if (before === null || nowMs <= before.atMs) return null;
    const seconds = (nowMs - before.atMs) / 1_000;
    return Math.min(1, (ticks - before.ticks) / TICKS_PER_SECOND / seconds / this.cores);
  }
}

/** User and system time in Linux' /proc/PID/stat, in ticks; null when it is no such text. The name of the program, in brackets, may hold anything. */
export function ticksOf(stat: string): number | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks : null;
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
