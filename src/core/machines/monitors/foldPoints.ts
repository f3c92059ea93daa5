import { z } from 'zod';
import { getOrSetOwn, setOwn } from '#core/base/ownMembers.ts';
import {
  type MonitorPoint,
  type MonitorResult,
  type MonitorInfo,
  monitorInfoSchema,
  monitorPointSchema,
  keyParts,
  type Quantity,
} from './result.ts';

/** Points in columns, which store each name once. */
export const columnsSchema = z.strictObject({
  second: z.array(z.number()),
  width: z.array(z.number()),
  values: z.record(z.string(), z.array(z.number().nullable())),
});
type Columns = z.infer<typeof columnsSchema>;

/** Number of significant digits of stored values: more than charts show, in a third of the size. */
const STORED_DIGITS = 5;

export function columnsOf(points: readonly MonitorPoint[]): Columns {
  const values: Record<string, (number | null)[]> = {};
  for (const [row, point] of points.entries()) {
    for (const [key, value] of Object.entries(point.values)) {
      const column = getOrSetOwn(values, key, () => Array.from({ length: points.length }, () => null));
      column[row] = Number(value.toPrecision(STORED_DIGITS));
    }
  }
  return { second: points.map(({ second }) => roundSeconds(second)), width: points.map(({ width }) => roundSeconds(width)), values };
}

/** Rounds to milliseconds, which suffice for a time axis. */
function roundSeconds(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}

export function readPoints({ second, width, values }: Columns): MonitorPoint[] {
  const columns = Object.entries(values);
  return second.map((start, row) => ({
    second: start,
    width: width[row] ?? 1,
    values: Object.fromEntries(
      columns.flatMap(([key, column]) => {
        const value = column[row];
        return value === null || value === undefined ? [] : [[key, value]];
      }),
    ),
  }));
}

type Quantities = readonly Quantity[];

/** Merges the points that begin in the same `width` seconds of the run, in order. */
export function foldPoints(points: readonly MonitorPoint[], width: number, quantities: Quantities): MonitorPoint[] {
  const groups: MonitorPoint[][] = [];
  let current = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const slot = Math.floor(point.second / width);
    if (slot !== current) groups.push([]);
    current = slot;
    groups.at(-1)?.push(point);
  }
  return groups.flatMap((group) => joinPoints(group, quantities));
}

/** Merges neighbouring points until at most `max` are left. */
export function reduceMonitorPoints(points: readonly MonitorPoint[], max: number, quantities: Quantities): MonitorPoint[] {
  if (points.length <= max) return [...points];
  const size = Math.ceil(points.length / max);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => points.slice(index * size, (index + 1) * size)).flatMap(
    (group) => joinPoints(group, quantities),
  );
}

/** Applies {@link reduceMonitorPoints} to all points of a monitor. */
export function reduceMonitor(monitor: MonitorResult, max: number): MonitorResult {
  if (monitor.second.length <= max) return monitor;
  return { ...monitor, ...columnsOf(reduceMonitorPoints(readPoints(monitor), max, monitor.quantities)) };
}

/**
 * Merges points. Each quantity keeps its time-weighted mean, maximum or minimum. Time without a reading, between points, does not count in
 * the mean.
 */
function joinPoints(points: readonly MonitorPoint[], quantities: Quantities): MonitorPoint[] {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  if (points.length === 1) return [first];
  const values: Record<string, number> = {};
  for (const key of new Set(points.flatMap((point) => Object.keys(point.values)))) {
    const { id } = keyParts(key);
    const knownValues = points.flatMap(({ width, values: { [key]: value } }) => (value === undefined ? [] : [{ width, value }]));
    setOwn(values, key, foldValues(knownValues, quantities.find((quantity) => quantity.id === id)?.fold ?? 'mean'));
  }
  return [{ second: first.second, width: last.second + last.width - first.second, values }];
}

function foldValues(
  knownValues: readonly { readonly width: number; readonly value: number }[],
  how: NonNullable<Quantity['fold']>,
): number {
  switch (how) {
    case 'highest':
      return knownValues.reduce((most, { value }) => Math.max(most, value), Number.NEGATIVE_INFINITY);
    case 'lowest':
      return knownValues.reduce((least, { value }) => Math.min(least, value), Number.POSITIVE_INFINITY);
    case 'mean': {
      const seconds = knownValues.reduce((sum, { width }) => sum + width, 0);
      return knownValues.reduce((sum, { width, value }) => sum + value * width, 0) / seconds;
    }
    default:
      return how satisfies never;
  }
}

/** State of a monitor during a run, and its readings since the last update. */
export const liveMonitorSchema = z.strictObject({ info: monitorInfoSchema, points: z.array(monitorPointSchema) });
export type LiveMonitor = z.infer<typeof liveMonitorSchema>;

/** Maximum number of points. Points beyond it are merged, never dropped. */
export const MAX_LIVE_MONITOR_POINTS = 600;

/** Joins two updates: the newer state of each monitor with the points of both. */
export function joinLiveMonitors(earlier: readonly LiveMonitor[], later: readonly LiveMonitor[]): LiveMonitor[] {
  const joined = new Map(earlier.map((monitor) => [monitor.info.number, monitor]));
  for (const { info, points } of later) {
    const before = joined.get(info.number)?.points ?? [];
    joined.set(info.number, { info, points: boundPoints([...before, ...points], info) });
  }
  return [...joined.values()].sort((one, other) => one.info.number - other.info.number);
}

/** Merges points, but only at twice the maximum, so that merging is rare. */
function boundPoints(points: MonitorPoint[], { quantities }: MonitorInfo): MonitorPoint[] {
  return points.length > 2 * MAX_LIVE_MONITOR_POINTS ? reduceMonitorPoints(points, MAX_LIVE_MONITOR_POINTS, quantities) : points;
}

/** Returns the final state of a monitor of an ended run. */
export function liveOfMonitor({ second, width, values, ...info }: MonitorResult): LiveMonitor {
  return { info, points: reduceMonitorPoints(readPoints({ second, width, values }), MAX_LIVE_MONITOR_POINTS, info.quantities) };
}
