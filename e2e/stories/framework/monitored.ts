import type { MonitorResult } from '#core/machines/monitors/result.ts';

/** Returns the known values of one quantity from a monitor, in a range of seconds. */
export function valuesIn(monitor: MonitorResult | undefined, key: string, fromSecond = 0, toSecond = Infinity): number[] {
  return readingsIn(monitor, key, fromSecond, toSecond).map(({ value }) => value);
}

/** Returns the known values of one quantity, each with the end of its second. */
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
