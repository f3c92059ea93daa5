import { z } from 'zod';
import { pointsOf, reduceMonitorPoints } from './foldPoints.ts';
import { type MonitorInfo, monitorInfoSchema, type MonitorPoint, monitorPointSchema, type MonitorResult } from './result.ts';

/** A monitor of a run that goes: how it is, and what it has read since the reader was last told. */
export const liveMonitorSchema = z.strictObject({ info: monitorInfoSchema, points: z.array(monitorPointSchema) });
export type LiveMonitor = z.infer<typeof liveMonitorSchema>;

/** More points than a chart can draw are folded, never dropped. */
export const MAX_LIVE_MONITOR_POINTS = 600;

/** What two updates said, in their order: the newest of each monitor, with the points of both. */
export function joinLiveMonitors(earlier: readonly LiveMonitor[], later: readonly LiveMonitor[]): LiveMonitor[] {
  const joined = new Map(earlier.map((monitor) => [monitor.info.number, monitor]));
  for (const { info, points } of later) {
    const before = joined.get(info.number)?.points ?? [];
    joined.set(info.number, { info, points: bounded([...before, ...points], info) });
  }
  return [...joined.values()].sort((one, other) => one.info.number - other.info.number);
}

/** Folded only when there are twice as many, so that it is not done for each point. */
function bounded(points: MonitorPoint[], { quantities }: MonitorInfo): MonitorPoint[] {
  return points.length > 2 * MAX_LIVE_MONITOR_POINTS ? reduceMonitorPoints(points, MAX_LIVE_MONITOR_POINTS, quantities) : points;
}

/** The last picture of a run that has ended. */
export function liveOfMonitor({ second, width, values, ...info }: MonitorResult): LiveMonitor {
  return { info, points: reduceMonitorPoints(pointsOf({ second, width, values }), MAX_LIVE_MONITOR_POINTS, info.quantities) };
}
