import { z } from 'zod';
import { pointsOf, reduceMonitorPoints } from './foldPoints.ts';
import { type MonitorInfo, monitorInfoSchema, type MonitorPoint, monitorPointSchema, type MonitorResult } from './result.ts';

/** State of a monitor during a run, and its readings since the last update. */
export const liveMonitorSchema = z.strictObject({ info: monitorInfoSchema, points: z.array(monitorPointSchema) });
export type LiveMonitor = z.infer<typeof liveMonitorSchema>;

/** Points above this number are merged, never dropped. */
export const MAX_LIVE_MONITOR_POINTS = 600;

/** Joins two updates: the newer state of each monitor with the points of both. */
export function joinLiveMonitors(earlier: readonly LiveMonitor[], later: readonly LiveMonitor[]): LiveMonitor[] {
  const joined = new Map(earlier.map((monitor) => [monitor.info.number, monitor]));
  for (const { info, points } of later) {
    const before = joined.get(info.number)?.points ?? [];
    joined.set(info.number, { info, points: bounded([...before, ...points], info) });
  }
  return [...joined.values()].sort((one, other) => one.info.number - other.info.number);
}

/** Merges only at twice the maximum, so merging is rare. */
function bounded(points: MonitorPoint[], { quantities }: MonitorInfo): MonitorPoint[] {
  return points.length > 2 * MAX_LIVE_MONITOR_POINTS ? reduceMonitorPoints(points, MAX_LIVE_MONITOR_POINTS, quantities) : points;
}

/** Returns the final state of a monitor of an ended run. */
export function liveOfMonitor({ second, width, values, ...info }: MonitorResult): LiveMonitor {
  return { info, points: reduceMonitorPoints(pointsOf({ second, width, values }), MAX_LIVE_MONITOR_POINTS, info.quantities) };
}
