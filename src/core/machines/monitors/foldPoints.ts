import { setOwn } from '#core/base/ownMembers.ts';
import { columnsOf, pointsOf } from './columns.ts';
import { keyParts, type Quantity } from './quantity.ts';
import type { MonitorPoint, MonitorResult } from './result.ts';

type Quantities = readonly Quantity[];

/** Joins the points that begin in the same `width` seconds of the run. Points keep their order. */
export function foldPoints(points: readonly MonitorPoint[], width: number, quantities: Quantities): MonitorPoint[] {
  const groups: MonitorPoint[][] = [];
  let current = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    const slot = Math.floor(point.second / width);
    if (slot !== current) groups.push([]);
    current = slot;
    groups.at(-1)?.push(point);
  }
  return groups.flatMap((group) => joined(group, quantities));
}

/** At most `max` points: as many neighbours are joined as it takes. */
export function reduceMonitorPoints(points: readonly MonitorPoint[], max: number, quantities: Quantities): MonitorPoint[] {
  if (points.length <= max) return [...points];
  const size = Math.ceil(points.length / max);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => points.slice(index * size, (index + 1) * size)).flatMap(
    (group) => joined(group, quantities),
  );
}

/** As {@link reduceMonitorPoints}, of all that a monitor has read. */
export function reduceMonitor(monitor: MonitorResult, max: number): MonitorResult {
  if (monitor.second.length <= max) return monitor;
  return { ...monitor, ...columnsOf(reduceMonitorPoints(pointsOf(monitor), max, monitor.quantities)) };
}

/**
 * One point over the time of several. Each quantity says what becomes of its values: the mean by time of those that are known, or the highest or
 * lowest. The time between points, in which nothing was read, is not counted into the mean.
 */
function joined(points: readonly MonitorPoint[], quantities: Quantities): MonitorPoint[] {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return [];
  if (points.length === 1) return [first];
  const values: Record<string, number> = {};
  for (const key of new Set(points.flatMap((point) => Object.keys(point.values)))) {
    const { id } = keyParts(key);
    const known = points.flatMap(({ width, values: { [key]: value } }) => (value === undefined ? [] : [{ width, value }]));
    setOwn(values, key, foldValues(known, quantities.find((quantity) => quantity.id === id)?.fold ?? 'mean'));
  }
  return [{ second: first.second, width: last.second + last.width - first.second, values }];
}

function foldValues(known: readonly { readonly width: number; readonly value: number }[], how: NonNullable<Quantity['fold']>): number {
  switch (how) {
    case 'highest':
      return known.reduce((most, { value }) => Math.max(most, value), Number.NEGATIVE_INFINITY);
    case 'lowest':
      return known.reduce((least, { value }) => Math.min(least, value), Number.POSITIVE_INFINITY);
    case 'mean': {
      const seconds = known.reduce((sum, { width }) => sum + width, 0);
      return known.reduce((sum, { width, value }) => sum + value * width, 0) / seconds;
    }
    default:
      return how satisfies never;
  }
}
