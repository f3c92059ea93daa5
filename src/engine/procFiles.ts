import { readFileSync } from 'node:fs';
import { socketStateOf } from '#core/machines/hosts/sockets.ts';

/** Ticks since boot, of all cores together. */
export interface CpuTimes {
  readonly total: number;
  readonly idle: number;
  readonly stolen: number;
}

/** First line of Linux' /proc/stat: user nice system idle iowait irq softirq steal (guest times are part of user's). */
export function parseCpuTimes(stat: string): CpuTimes | null {
  const match = /^cpu +([\d ]+)$/m.exec(stat);
  const ticks = match?.[1]?.trim().split(/ +/).map(Number);
  if (ticks === undefined || ticks.length < 8) return null;
  const [, , , idle = 0, ioWait = 0, , , stolen = 0] = ticks;
  return { total: ticks.slice(0, 8).reduce((sum, tick) => sum + tick, 0), idle: idle + ioWait, stolen };
}

/** Shares of all cores between two readings, 0 to 1; null when no time has passed. */
export function cpuShares(before: CpuTimes, after: CpuTimes): { readonly used: number; readonly stolen: number } | null {
  const total = after.total - before.total;
  if (total <= 0) return null;
  return { used: 1 - (after.idle - before.idle) / total, stolen: (after.stolen - before.stolen) / total };
}

/** Sockets in TIME_WAIT from Linux' /proc/net/sockstat; null when it does not say. */
export function parseTimeWait(sockstat: string): number | null {
  const match = /^TCP:.* tw (\d+)/m.exec(sockstat);
  return match === null ? null : Number(match[1]);
}

/** TCP sockets that take a line in Linux' list of them: in use or in TIME_WAIT; null when it does not say. */
export function parseSocketsInUse(sockstat: string): number | null {
  const match = /^TCP: inuse (\d+) .* tw (\d+)/m.exec(sockstat);
  return match === null ? null : Number(match[1]) + Number(match[2]);
}

/** How many sockets are in which state, from the texts of /proc/net/tcp and tcp6. */
export function parseSocketStates(lists: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, code = ''] of lists.flatMap((list) => [...list.matchAll(/^ *\d+: \S+ \S+ ([0-9A-F]{2}) /gm)])) {
    const state = socketStateOf(code);
    if (state !== null) counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

/** The processor's times since boot; null where the platform has no such file. */
export function readCpuTimes(): CpuTimes | null {
  try {
    return parseCpuTimes(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return null;
  }
}
