import type { MonitorResult } from '#core/machines/monitors/result.ts';

/** What a monitor read of one quantity in the seconds from one to another; what is not known is left out. */
export function valuesIn(monitor: MonitorResult | undefined, key: string, fromSecond = 0, toSecond = Infinity): number[] {
  return readingsIn(monitor, key, fromSecond, toSecond).map(({ value }) => value);
}

/** The same, with the ends of their seconds, at which amounts were read. */
export function readingsIn(
  monitor: MonitorResult | undefined,
  key: string,
  fromSecond = 0,
  toSecond = Infinity,
): { readonly second: number; readonly width: number; readonly value: number }[] {
  if (monitor === undefined) return [];
  return (monitor.values[key] ?? []).flatMap((value, row) => {
    const [second, width] = [monitor.second[row] ?? NaN, monitor.width[row] ?? NaN];
    return value === null || second < fromSecond || second + width > toSecond ? [] : [{ second: second + width, width, value }];
  });
}
