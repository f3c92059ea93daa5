/**
 * Ticks per second of CPU times in /proc. The kernel's own tick may differ, but USER_HZ is 100 on every architecture on which Node runs.
 */
const TICKS_PER_SECOND = 100;

/**
 * Parses the CPU seconds (user and system, all threads) of children that were waited for, from /proc/self/stat on Linux: fields 16 and 17,
 * cutime and cstime (proc_pid_stat(5)). Returns null if the fields are missing.
 */
export function parseChildrenCpuSeconds(stat: string): number | null {
  return sumOfTicks(stat, 16, 17);
}

/**
 * Parses the CPU seconds (user and system, all threads) of the process itself from /proc/PID/stat on Linux: fields 14 and 15, utime and
 * stime.
 */
export function parseOwnCpuSeconds(stat: string): number | null {
  return sumOfTicks(stat, 14, 15);
}

/** Adds two fields. Their numbers are counted from 1, as in the manual. */
function sumOfTicks(stat: string, userField: number, systemField: number): number | null {
  // The second field is the program's name in brackets. The name itself may contain brackets and spaces.
  const fromThird = stat
    .slice(stat.lastIndexOf(')') + 2)
    .trim()
    .split(' ');
  const [user, system] = [Number(fromThird[userField - 3]), Number(fromThird[systemField - 3])];
  return Number.isFinite(user) && Number.isFinite(system) ? (user + system) / TICKS_PER_SECOND : null;
}

/** Parses the peak of resident memory, in bytes, from /proc/PID/status on Linux (VmHWM). Returns null if it is missing. */
export function parsePeakBytes(status: string): number | null {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1_024;
}
