/** Ticks per second of CPU times in /proc. The kernel's own tick may differ, but USER_HZ is 100 on every architecture of Node. */
const TICKS_PER_SECOND = 100;

/**
 * Parses the CPU seconds (user and system, all threads) of children that were waited for, from Linux' /proc/self/stat: fields 16 and 17,
 * cutime and cstime (proc_pid_stat(5)). Returns null if they are missing.
 */
export function parseChildrenCpuSeconds(stat: string): number | null {
  return sumOfTicks(stat, 16, 17);
}

/**
 * Parses the CPU seconds (user and system, all threads) of the process itself from Linux' /proc/PID/stat: fields 14 and 15, utime and
 * stime.
 */
export function parseOwnCpuSeconds(stat: string): number | null {
  return sumOfTicks(stat, 14, 15);
}

/** Adds up two fields, which are counted from 1 as in the manual. */
function sumOfTicks(stat: string, userField: number, systemField: number): number | null {
  // The second field is the program's name in brackets, and may contain brackets and spaces itself.
  const fromThird = stat
    .slice(stat.lastIndexOf(')') + 2)
    .trim()
    .split(' ');
  const [user, system] = [Number(fromThird[userField - 3]), Number(fromThird[systemField - 3])];
  return Number.isFinite(user) && Number.isFinite(system) ? (user + system) / TICKS_PER_SECOND : null;
}

/** Parses the peak of resident memory in bytes from Linux' /proc/PID/status (VmHWM). Returns null if missing. */
export function parsePeakBytes(status: string): number | null {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1_024;
}
