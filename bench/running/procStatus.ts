/**
 * Ticks per second in which Linux tells CPU times to programs. The kernel's own tick may differ; this one (USER_HZ) is 100 on every
 * architecture that Node runs on.
 */
const TICKS_PER_SECOND = 100;

/**
 * CPU seconds (user and system, all threads) of the children that this process has waited for, and of theirs, from
 * Linux' /proc/self/stat: fields 16 and 17, cutime and cstime (proc_pid_stat(5)). Null when it does not say.
 */
export function parseChildrenCpuSeconds(stat: string): number | null {
  return sumOfTicks(stat, 16, 17);
}

/** CPU seconds (user and system, all threads) of the process itself, from Linux' /proc/PID/stat: fields 14 and 15, utime and stime. */
export function parseOwnCpuSeconds(stat: string): number | null {
  return sumOfTicks(stat, 14, 15);
}

/** Fields are counted from 1, as in the manual. */
function sumOfTicks(stat: string, userField: number, systemField: number): number | null {
  // The second field is the program's name in brackets and may itself hold brackets and spaces.
  const fromThird = stat
    .slice(stat.lastIndexOf(')') + 2)
    .trim()
    .split(' ');
  const [user, system] = [Number(fromThird[userField - 3]), Number(fromThird[systemField - 3])];
  return Number.isFinite(user) && Number.isFinite(system) ? (user + system) / TICKS_PER_SECOND : null;
}

/** Most resident memory that a process has had, in bytes, from Linux' /proc/PID/status (VmHWM); null when it does not say. */
export function parsePeakBytes(status: string): number | null {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1_024;
}
