import { addNames } from '#core/base/foreignNames.ts';
import { answeredCount, endedCount, responseTimes, serviceTimes, sentCount } from '#core/measurement/cellFigures.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { milliseconds } from '#core/statistics/latency.ts';
import type { Cell, Window } from '#core/measurement/window.ts';
import { emptyCell, mergeCell } from '#core/measurement/windowFold.ts';
import type { Point } from './schema.ts';

/** A chart tells few errors apart, and a run has thousands of points. */
export const MOST_NAMES_OF_POINT = 20;

/**
 * A window as a point of the charts, all stages and steps together. `completed` are complete answers, good or not; `failed`
 * are all requests that ended without being ok, answered or not.
 */
export function pointOf(window: Window): Point {
  const sum = wholeOf(window.cells);
  const times = responseTimes(sum);
  const at = (percentile: number): number | null =>
    times === undefined || times.totalCount === 0 ? null : milliseconds(valueAtRank(times, percentileRank(percentile, times.totalCount)));
  const ok = sum.outcomes.ok ?? 0;
  return {
    second: window.second,
    width: window.width,
    started: sentCount(sum),
    completed: answeredCount(sum),
    ok,
    failed: endedCount(sum) - ok,
    inFlight: window.inFlight,
    bytesReceived: sum.bytesReceived,
    p50: at(50),
    p90: at(90),
    p99: at(99),
    max: at(100),
    service: serviceOf(sum),
    notStarted: { target: sum.notStartedTarget, generator: sum.notStartedGenerator },
    waiting: 0,
    ...(sum.cache ? { cache: { fromCache: sum.cache.fromCache, fromServer: sum.cache.fromServer } } : {}),
    status: { ...sum.statuses },
    errors: addNames([sum.errors], MOST_NAMES_OF_POINT),
    sick: [...window.sick],
  };
}

function serviceOf(cell: Cell): Point['service'] {
  if (cell.times.responseOk === undefined && cell.times.responseFailed === undefined) return null;
  const times = serviceTimes(cell);
  if (times === undefined || times.totalCount === 0) return null;
  const at = (percentile: number): number => milliseconds(valueAtRank(times, percentileRank(percentile, times.totalCount)));
  return { p50: at(50), p99: at(99) };
}

/** All cells as one; most windows hold a single one, which need not be copied. */
function wholeOf(cells: readonly Cell[]): Cell {
  const [first, ...others] = cells;
  if (first && others.length === 0) return first;
  const sum = emptyCell(0, 0);
  for (const cell of cells) mergeCell(sum, cell);
  return sum;
}
