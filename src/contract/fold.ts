import { joinLiveMonitors, type LiveMonitor } from '#core/machines/monitors/foldPoints.ts';
import type { Point, RunEvent } from '#core/result/schema.ts';

/** If more points than this are unread, all are dropped, and the reader must fetch them again: no queue is unbounded. */
export const MAX_UNREAD_POINTS = 600;

interface FoldableUpdate {
  readonly plan?: unknown;
  readonly points: Point[];
  readonly resync: boolean;
  readonly watched: readonly unknown[];
  readonly generatorPoints: readonly unknown[];
  readonly events: RunEvent[];
  readonly monitors: LiveMonitor[];
}

/** Joins two live updates: the later state with the points and events of both. */
export function foldLive<Update extends FoldableUpdate>(earlier: Update, later: Update): Update {
  const bySecond = new Map<number, Point>();
  for (const point of earlier.points) bySecond.set(point.second, point);
  for (const point of later.points) bySecond.set(point.second, point);
  const overflow = bySecond.size > MAX_UNREAD_POINTS;
  const points = overflow ? [] : [...bySecond.values()].sort((a, b) => a.second - b.second);
  return {
    ...(earlier.plan === undefined ? {} : { plan: earlier.plan }),
    ...later,
    points,
    resync: earlier.resync || later.resync || overflow,
    generatorPoints: [...earlier.generatorPoints, ...later.generatorPoints].slice(-MAX_UNREAD_POINTS),
    watched: [...earlier.watched, ...later.watched].slice(-MAX_UNREAD_POINTS),
    events: [...earlier.events, ...later.events].slice(-MAX_UNREAD_POINTS),
    monitors: joinLiveMonitors(earlier.monitors, later.monitors),
  };
}
