import { closeSync, openSync, readSync } from 'node:fs';

/**
 * How long this thread has been ready to run and had no core, from Linux' own account (`run_delay` of /proc/thread-self/schedstat, see
 * Documentation/scheduler/sched-stats in the kernel's sources). The file is kept open: when descriptors run out it must still be readable.
 */
export class RunQueue {
  private file = openOrNull('/proc/thread-self/schedstat');
  private readonly buffer = Buffer.alloc(128);

  /** Microseconds since the thread began; null where the system does not tell. */
  waitedUs(): number | null {
    if (this.file === null) return null;
    try {
      return parseRunDelayUs(this.buffer.toString('latin1', 0, readSync(this.file, this.buffer, 0, this.buffer.length, 0)));
    } catch {
      return null;
    }
  }

  close(): void {
    if (this.file !== null) closeSync(this.file);
    // Its number may belong to another file now.
    this.file = null;
  }
}

/** "run time, wait time, number of time slices", times in nanoseconds. */
export function parseRunDelayUs(schedstat: string): number | null {
  const match = /^\d+ (\d+) \d+/.exec(schedstat);
  return match === null ? null : Number(match[1]) / 1_000;
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}
