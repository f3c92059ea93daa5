import { readFileSync } from 'node:fs';
import { findSocketState } from '#core/machines/hosts/sockets.ts';
import { MAX_STEAL } from '#core/measurement/selfTest/report.ts';

/** Processor time in ticks since boot, summed over all cores. */
export interface CpuTimes {
  readonly total: number;
  readonly idle: number;
  readonly stolen: number;
}

/** Parses the first line of /proc/stat: user nice system idle iowait irq softirq steal. Guest times are part of user's. */
export function parseCpuTimes(stat: string): CpuTimes | null {
  const match = /^cpu +([\d ]+)$/m.exec(stat);
  const ticks = match?.[1]?.trim().split(/ +/).map(Number);
  if (ticks === undefined || ticks.length < 8) return null;
  const [, , , idle = 0, ioWait = 0, , , stolen = 0] = ticks;
  return { total: ticks.slice(0, 8).reduce((sum, tick) => sum + tick, 0), idle: idle + ioWait, stolen };
}

/** Returns the shares of all cores' time between two readings, from 0 to 1; null if no time has passed. */
export function cpuShares(before: CpuTimes, after: CpuTimes): { readonly used: number; readonly stolen: number } | null {
  const total = after.total - before.total;
  if (total <= 0) return null;
  return { used: 1 - (after.idle - before.idle) / total, stolen: (after.stolen - before.stolen) / total };
}

/** Returns the number of sockets in TIME_WAIT from /proc/net/sockstat; null if the format is unknown. */
export function parseTimeWait(sockstat: string): number | null {
  const match = /^TCP:.* tw (\d+)/m.exec(sockstat);
  return match === null ? null : Number(match[1]);
}

/** Returns the number of TCP sockets that Linux lists, in use or in TIME_WAIT; null if the format is unknown. */
export function parseSocketsInUse(sockstat: string): number | null {
  const match = /^TCP: inuse (\d+) .* tw (\d+)/m.exec(sockstat);
  return match === null ? null : Number(match[1]) + Number(match[2]);
}

/** Counts sockets by state in the texts of /proc/net/tcp and tcp6. */
export function parseSocketStates(lists: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, code = ''] of lists.flatMap((list) => [...list.matchAll(/^ *\d+: \S+ \S+ ([0-9A-F]{2}) /gm)])) {
    const state = findSocketState(code);
    if (state !== null) counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

/** Returns the processor's times since boot; null on systems without /proc/stat. */
export function readCpuTimes(): CpuTimes | null {
  try {
    return parseCpuTimes(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return null;
  }
}

const MAX_REPEATS = 3;

interface Attempt<Result> {
  readonly result: Result;
  readonly repeats: number;
  /**
   * Shares of all processor time during the last attempt, from 0 to 1: the share that the hypervisor stole, and the share in use. null if
   * unknown.
   */
  readonly steal: number | null;
  readonly processorUse: number | null;
}

/** Returns whether a measurement with implausible times may be repeated: only after steal, and only a few times. */
export function mayRepeat(steal: number | null, repeats: number): boolean {
  return steal !== null && steal > MAX_STEAL && repeats < MAX_REPEATS;
}

/**
 * Measures something that depends on time. Repeats the measurement, at most three times, if `timesAreWrong` returns true and the hypervisor
 * took processor time meanwhile. `timesAreWrong` must not check counts, because steal never excuses wrong counts.
 */
export async function withStealGate<Result>(
  measure: () => Promise<Result>,
  timesAreWrong: (result: Result) => boolean,
  read: () => CpuTimes | null = readCpuTimes,
): Promise<Attempt<Result>> {
  for (let repeats = 0; ; repeats += 1) {
    const before = read();
    const result = await measure();
    const after = read();
    const shares = before === null || after === null ? null : cpuShares(before, after);
    const steal = shares?.stolen ?? null;
    if (!timesAreWrong(result) || !mayRepeat(steal, repeats)) return { result, repeats, steal, processorUse: shares?.used ?? null };
  }
}
