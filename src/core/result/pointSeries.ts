import { addNames } from '#core/base/foreignNames.ts';
import {
  responseCount,
  countEnded,
  RESPONSE_KINDS,
  responseTimes,
  countSent,
  SERVICE_KINDS,
  serviceTimes,
} from '#core/measurement/cellFigures.ts';
import { addInto, emptyLike, type Histogram, createSum, percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { milliseconds } from '#core/statistics/latency.ts';
import type { Cell, TimeKind, Window } from '#core/measurement/window.ts';
import { findOrAddCell, emptyCell, emptyWindow, mergeCell, mergeCellIntoTotal } from '#core/measurement/windowFold.ts';
import { addCounts } from '#core/base/lists.ts';
import type { GeneratorPoint, Point } from './schema.ts';
import { joinStreamPoints, findStreamPoint } from './streams.ts';

/** Maximum number of error names per point. A chart shows only few, and a run has thousands of points. */
const MAX_NAMES_PER_POINT = 20;

/**
 * Converts a window to a point of the charts, summed over stages and steps. `completed`: complete responses, successful or not; `failed`:
 * ended requests with an outcome other than ok, with or without a response.
 */
export function pointOfWindow(window: Window): Point {
  const sum = mergeCells(window.cells);
  const at = findPercentiles(responseTimes(sum));
  const ok = sum.outcomes.ok ?? 0;
  return {
    second: window.second,
    width: window.width,
    started: countSent(sum),
    completed: responseCount(sum),
    ok,
    failed: countEnded(sum) - ok,
    inFlight: window.inFlight,
    bytesReceived: sum.bytesReceived,
    p50: at(50),
    p90: at(90),
    p95: at(95),
    p99: at(99),
    max: at(100),
    service: servicePoint(sum),
    notStarted: { target: sum.notStartedTarget, generator: sum.notStartedGenerator },
    waiting: 0,
    ...(sum.cache ? { cache: { fromCache: sum.cache.fromCache, fromServer: sum.cache.fromServer } } : {}),
    ...handshakePoint(sum),
    ...(sum.streams ? { streams: findStreamPoint(sum) } : {}),
    status: Object.fromEntries(sum.statuses),
    errors: addNames([sum.errors], MAX_NAMES_PER_POINT),
    overloadedBy: [...window.overloadedBy],
  };
}

/** Sums windows into one point, with percentiles over the response times of all windows. */
export function createPointOfWindows(): { add(window: Window): void; end(): Point | null } {
  let sum: Window | null = null;
  return {
    add({ second, width, cells, inFlight, overloadedBy }) {
      const before: Window = sum ?? emptyWindow(second, 0);
      for (const cell of cells) mergeCellIntoTotal(findOrAddCell(before, cell.stage, cell.step), cell);
      sum = { ...before, width: before.width + width, inFlight, overloadedBy: [...new Set([...before.overloadedBy, ...overloadedBy])] };
    },
    end: () => sum && pointOfWindow(sum),
  };
}

/** Like {@link pointOfWindow}, for a window of one of several load generators. */
export function generatorPointOfWindow({ second, width, cells }: Window): GeneratorPoint {
  const kinds = RESPONSE_KINDS.some((kind) => cells.some(({ times }) => times[kind] !== undefined)) ? RESPONSE_KINDS : SERVICE_KINDS;
  const sum = createSum();
  let [completed, bytesReceived] = [0, 0];
  for (const cell of cells) {
    completed += responseCount(cell);
    bytesReceived += cell.bytesReceived;
    for (const kind of kinds) {
      const times = cell.times[kind];
      if (times !== undefined) addInto(sum, times);
    }
  }
  const at = findPercentiles(sum);
  return { second, width, completed, bytesReceived, p50: at(50), p90: at(90) };
}

function findPercentiles(times: Histogram | undefined): (percentile: number) => number | null {
  return (percentile) =>
    times === undefined || times.totalCount === 0 ? null : milliseconds(valueAtRank(times, percentileRank(percentile, times.totalCount)));
}

/** Counts the handshakes of a cell. Failed handshakes are neither full nor resumed. */
function handshakePoint({ times, sessionsResumed }: Cell): Pick<Point, 'handshakes'> {
  const made = times.tls?.totalCount ?? 0;
  return made === 0 ? {} : { handshakes: { full: Math.max(0, made - sessionsResumed), resumed: sessionsResumed } };
}

function servicePoint(cell: Cell): Point['service'] {
  if (cell.times.responseOk === undefined && cell.times.responseFailed === undefined) return null;
  const times = serviceTimes(cell);
  if (times === undefined || times.totalCount === 0) return null;
  const millisecondsAt = (percentile: number): number => milliseconds(valueAtRank(times, percentileRank(percentile, times.totalCount)));
  return { p50: millisecondsAt(50), p99: millisecondsAt(99) };
}

const POINT_TIME_KINDS: readonly TimeKind[] = [...RESPONSE_KINDS, ...SERVICE_KINDS, 'tls', 'eventDelay'];

/** Merges all cells into one. A single cell is returned without a copy. */
function mergeCells(cells: readonly Cell[]): Cell {
  const [first, ...others] = cells;
  if (first && others.length === 0) return first;
  const sum = emptyCell(0, 0);
  for (const cell of cells) mergeCell(sum, cell, emptyLike, POINT_TIME_KINDS);
  return sum;
}

/** Shortens the last point to the end of the run. */
export function pointsUntil<One extends Pick<Point, 'second' | 'width'>>(points: readonly One[], endSecond: number): One[] {
  const last = points.at(-1);
  if (!last || last.second + last.width <= endSecond || endSecond <= last.second) return [...points];
  return [...points.slice(0, -1), { ...last, width: endSecond - last.second }];
}

/** Minimum length in seconds of a last point that has a meaningful rate. */
const MIN_RATE_SECONDS = 0.5;

/** Returns the points for a rate chart, without a last point that covers only a moment. */
export function ratePoints<Part extends Pick<Point, 'width'>>(points: readonly Part[]): readonly Part[] {
  const last = points.at(-1);
  return last && points.length > 1 && last.width < MIN_RATE_SECONDS ? points.slice(0, -1) : points;
}

/**
 * Joins neighbouring points until at most `max` are left. Counts are summed. The highest percentile is kept, because percentiles cannot be
 * averaged. A joined point therefore never looks better than any of its seconds. Points are not joined across a gap in time, so that more
 * than `max` may remain.
 */
export function reducePoints(points: readonly Point[], max: number): Point[] {
  return reduceBy(points, max, joinPoints);
}

/** Like {@link reducePoints}, for one of several load generators. */
export function reduceGeneratorPoints(points: readonly GeneratorPoint[], max: number): GeneratorPoint[] {
  return reduceBy(points, max, (earlier, later) => ({ ...joinTimes(earlier, later), ...addAmounts(earlier, later) }));
}

type Join<One> = (earlier: One, later: One) => One;

function reduceBy<One extends Pick<Point, 'second' | 'width'>>(points: readonly One[], max: number, join: Join<One>): One[] {
  let reduced = [...points];
  while (reduced.length > max) {
    const perGroup = Math.max(2, Math.ceil(reduced.length / max));
    const joined = joinGroups(reduced, perGroup, join);
    if (joined.length === reduced.length) break;
    reduced = joined;
  }
  return reduced;
}

function joinGroups<One extends Pick<Point, 'second' | 'width'>>(points: readonly One[], perGroup: number, join: Join<One>): One[] {
  const joined: One[] = [];
  let inGroup = 0;
  for (const point of points) {
    const last = joined.at(-1);
    if (last && inGroup < perGroup && last.second + last.width === point.second) {
      joined[joined.length - 1] = join(last, point);
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
    ...addAmounts(earlier, later),
    ...joinTimes(earlier, later),
    ...joinCache(earlier.cache, later.cache),
    ...joinHandshakes(earlier.handshakes, later.handshakes),
    ...joinStreams(earlier.streams, later.streams),
    started: earlier.started + later.started,
    ok: earlier.ok + later.ok,
    failed: earlier.failed + later.failed,
    inFlight: later.inFlight,
    waiting: later.waiting,
    service: joinService(earlier.service, later.service),
    notStarted: {
      target: earlier.notStarted.target + later.notStarted.target,
      generator: earlier.notStarted.generator + later.notStarted.generator,
    },
    ...(earlier.p95 === undefined || later.p95 === undefined ? {} : { p95: maxOrNull(earlier.p95, later.p95) }),
    p99: maxOrNull(earlier.p99, later.p99),
    max: maxOrNull(earlier.max, later.max),
    status: addCounts([earlier.status, later.status]),
    errors: addNames([earlier.errors, later.errors], MAX_NAMES_PER_POINT),
    overloadedBy: [...new Set([...earlier.overloadedBy, ...later.overloadedBy])],
  };
}

function addAmounts(
  earlier: GeneratorPoint,
  later: GeneratorPoint,
): Pick<GeneratorPoint, 'second' | 'width' | 'completed' | 'bytesReceived'> {
  return {
    second: earlier.second,
    width: earlier.width + later.width,
    completed: earlier.completed + later.completed,
    bytesReceived: earlier.bytesReceived + later.bytesReceived,
  };
}

function joinTimes(earlier: GeneratorPoint, later: GeneratorPoint): Pick<GeneratorPoint, 'p50' | 'p90'> {
  return { p50: maxOrNull(earlier.p50, later.p50), p90: maxOrNull(earlier.p90, later.p90) };
}

function joinCache(earlier: Point['cache'], later: Point['cache']): Pick<Point, 'cache'> {
  if (!earlier && !later) return {};
  const sum = (key: 'fromCache' | 'fromServer'): number => (earlier?.[key] ?? 0) + (later?.[key] ?? 0);
  return { cache: { fromCache: sum('fromCache'), fromServer: sum('fromServer') } };
}

function joinHandshakes(earlier: Point['handshakes'], later: Point['handshakes']): Pick<Point, 'handshakes'> {
  if (!earlier && !later) return {};
  const sum = (key: 'full' | 'resumed'): number => (earlier?.[key] ?? 0) + (later?.[key] ?? 0);
  return { handshakes: { full: sum('full'), resumed: sum('resumed') } };
}

function joinStreams(earlier: Point['streams'], later: Point['streams']): Pick<Point, 'streams'> {
  if (earlier === undefined || later === undefined)
    return earlier === undefined && later === undefined ? {} : { streams: earlier ?? later };
  return { streams: joinStreamPoints(earlier, later) };
}

function maxOrNull(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.max(a, b);
}

/** Joins service times. Percentiles cannot be merged, so the worse one is kept. */
function joinService(earlier: Point['service'], later: Point['service']): Point['service'] {
  if (earlier === null || later === null) return earlier ?? later;
  return { p50: Math.max(earlier.p50, later.p50), p99: Math.max(earlier.p99, later.p99) };
}
