import { answeredCount, endedCount, serviceTimes } from '../stats/cellFigures.ts';
import { percentileRank, valueAtRank } from '../stats/histogram.ts';
import { milliseconds } from '../stats/latency.ts';
import type { Cell, Window } from '../stats/window.ts';
import { emptyCell, mergeCell } from '../stats/windowFold.ts';
import type { Point } from './result.ts';

/**
 * A window as a point of the charts, all stages and steps together. `completed` are complete answers, good or not; `failed`
 * are all requests that ended without being ok, answered or not.
 */
export function pointOf(window: Window): Point {
  const sum = wholeOf(window.cells);
  const times = serviceTimes(sum);
  const at = (percentile: number): number | null =>
    times === undefined || times.totalCount === 0 ? null : milliseconds(valueAtRank(times, percentileRank(percentile, times.totalCount)));
  const ok = sum.outcomes.ok ?? 0;
  return {
    second: window.second,
    width: window.width,
    started: sum.started,
    completed: answeredCount(sum),
    ok,
    failed: endedCount(sum) - ok,
    inFlight: window.inFlight,
    bytesReceived: sum.bytesReceived,
    p50: at(50),
    p90: at(90),
    p99: at(99),
    max: at(100),
    status: { ...sum.statuses },
    errors: { ...sum.errors },
    sick: [...window.sick],
  };
}

/** All cells as one; most windows hold a single one, which need not be copied. */
function wholeOf(cells: readonly Cell[]): Cell {
  const [first, ...others] = cells;
  if (first && others.length === 0) return first;
  const sum = emptyCell(0, 0);
  for (const cell of cells) mergeCell(sum, cell);
  return sum;
}

/**
 * Joins neighbouring points until at most `max` are left. Counts add up; of a percentile the highest is kept, because
 * percentiles cannot be averaged: the joined point never looks better than any second in it. Points are not joined across a
 * gap in time, so more than `max` can remain when there are more gaps than that.
 */
export function reducePoints(points: readonly Point[], max: number): Point[] {
  let reduced = [...points];
  while (reduced.length > max) {
    const perGroup = Math.max(2, Math.ceil(reduced.length / max));
    const joined = joinGroups(reduced, perGroup);
    if (joined.length === reduced.length) break;
    reduced = joined;
  }
  return reduced;
}

function joinGroups(points: readonly Point[], perGroup: number): Point[] {
  const joined: Point[] = [];
  let inGroup = 0;
  for (const point of points) {
    const last = joined.at(-1);
    if (last && inGroup < perGroup && last.second + last.width === point.second) {
      joined[joined.length - 1] = joinPoints(last, point);
      inGroup += 1;
    } else {
      joined.push(point);
      inGroup = 1;
    }
  }
  return joined;
}

function joinPoints(earlier: Point, later: Point): Point {
  return {
    second: earlier.second,
    width: earlier.width + later.width,
    started: earlier.started + later.started,
    completed: earlier.completed + later.completed,
    ok: earlier.ok + later.ok,
    failed: earlier.failed + later.failed,
    inFlight: later.inFlight,
    bytesReceived: earlier.bytesReceived + later.bytesReceived,
    p50: higher(earlier.p50, later.p50),
    p90: higher(earlier.p90, later.p90),
    p99: higher(earlier.p99, later.p99),
    max: higher(earlier.max, later.max),
    status: addedCounts(earlier.status, later.status),
    errors: addedCounts(earlier.errors, later.errors),
    sick: [...new Set([...earlier.sick, ...later.sick])],
  };
}

function higher(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.max(a, b);
}

function addedCounts(some: Readonly<Record<string, number>>, others: Readonly<Record<string, number>>): Record<string, number> {
  const sum = { ...some };
  for (const [name, count] of Object.entries(others)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
