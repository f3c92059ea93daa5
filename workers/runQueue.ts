import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Time for which this thread was ready to run and had no core, from `run_delay` of /proc/thread-self/schedstat (Documentation/scheduler/sched-stats in the
 * kernel's sources). The file stays open, since it must be readable when no file descriptor is left.
 */
export class RunQueue {
  private file = openOrNull('/proc/thread-self/schedstat');
  private readonly buffer = Buffer.alloc(128);

  /** Returns the time in microseconds since the thread started; null where the system does not report it. */
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
    // The descriptor may be reused by another file.
    this.file = null;
  }
}

/** Parses "run time, wait time, number of time slices", with times in nanoseconds. */
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
