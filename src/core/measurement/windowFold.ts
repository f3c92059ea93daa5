import { mergeCounts } from '#core/base/lists.ts';
import { keepLargest, mergeNames } from '#core/base/foreignNames.ts';
import { getOrSetOwn } from '#core/base/ownMembers.ts';
import { addInto, emptyLike, type Histogram, createSum } from '#core/statistics/histogram.ts';
import {
  addCounters,
  CACHE_COUNTERS,
  CELL_COUNTERS,
  DUET_COUNTERS,
  JOURNEY_COUNTERS,
  LOADED_COUNTERS,
  zeroCounters,
  SERVER_COUNTERS,
  STREAM_COUNTERS,
} from './counters.ts';
import { mergePeople, emptyPeopleChanges } from './people.ts';
import {
  type Cell,
  type DuetCount,
  type EarlyResponse,
  type LoadedCount,
  OVERLOAD_CAUSES,
  type OverloadCause,
  type ServerCount,
  type SideCalls,
  type SideCell,
  TIME_KINDS,
  type TimeKind,
  type Window,
} from './window.ts';

/** Returns an empty window of the seconds [second, second + width). */
export function emptyWindow(second: number, width: number): Window {
  return { second, width, cells: [], loaded: [], journeys: zeroCounters(JOURNEY_COUNTERS), inFlight: 0, overloadedBy: [] };
}

export function emptyCell(stage: number, step: number): Cell {
  return {
    stage,
    step,
    ...zeroCounters(CELL_COUNTERS),
    outcomes: {},
    statuses: new Map(),
    errors: {},
    servers: {},
    early: [],
    times: {},
  };
}

/** Returns the window's cell of a stage and step. Adds an empty one if there is none. */
export function findOrAddCell(window: Window, stage: number, step: number): Cell {
  for (const cell of window.cells) if (cell.stage === stage && cell.step === step) return cell;
  const cell = emptyCell(stage, step);
  window.cells.push(cell);
  return cell;
}

/**
 * Adds every count, and the histograms of some kinds, of `from` to `into`. `into` keeps its own stage and step, and `from` is not changed.
 */
export function mergeCell(
  into: Cell,
  from: Cell,
  make: (like: Histogram) => Histogram = emptyLike,
  kinds: readonly TimeKind[] = TIME_KINDS,
): void {
  addCounters(CELL_COUNTERS, into, from);
  mergeCounts(into.outcomes, from.outcomes);
  for (const [status, count] of from.statuses) into.statuses.set(status, (into.statuses.get(status) ?? 0) + count);
  mergeNames(into.errors, from.errors);
  mergeServers(into.servers, from.servers);
  if (from.cache) addCounters(CACHE_COUNTERS, (into.cache ??= zeroCounters(CACHE_COUNTERS)), from.cache);
  if (from.streams) addCounters(STREAM_COUNTERS, (into.streams ??= zeroCounters(STREAM_COUNTERS)), from.streams);
  if (from.early.length > 0) into.early = keepEarliest(into.early, from.early);
  for (const kind of kinds) {
    const source = from.times[kind];
    if (source) addInto((into.times[kind] ??= make(source)), source);
  }
}

/** Adds the counts of each server. Beyond MAX_NAMES servers, only the busiest ones keep their names. */
export function mergeServers(into: Record<string, ServerCount>, from: Readonly<Record<string, ServerCount>>): void {
  for (const [name, count] of Object.entries(from)) addCounters(SERVER_COUNTERS, getOrSetOwn(into, name, emptyServerCount), count);
  keepLargest(into, ({ responded, withoutResponse }) => responded + withoutResponse, mergeServerCounts);
}

/** Returns the counters of a server at 0. */
export function emptyServerCount(): ServerCount {
  return zeroCounters(SERVER_COUNTERS);
}

function mergeServerCounts(counts: readonly ServerCount[]): ServerCount {
  const sum = emptyServerCount();
  for (const count of counts) addCounters(SERVER_COUNTERS, sum, count);
  return sum;
}

/** Merges a cell like {@link mergeCell}, but into a cell that sums a whole run. */
export function mergeCellIntoTotal(into: Cell, from: Cell): void {
  mergeCell(into, from, createSum);
}

/**
 * Adds a window of other threads or machines to the window of the same seconds. Requests in flight are added up. The result is overloaded
 * if either window is. Throws a RangeError for a window of other seconds.
 */
export function mergeWindow(into: Window, other: Window): void {
  if (into.second !== other.second || into.width !== other.width) {
    throw new RangeError(`A window of second ${other.second} cannot be merged into one of second ${into.second}.`);
  }
  addContents(into, other);
  into.inFlight += other.inFlight;
  if (other.side) findOrAddSideCalls(into).inFlight += other.side.inFlight;
  into.overloadedBy = sortCauses([...into.overloadedBy, ...other.overloadedBy]);
}

/**
 * Folds windows into longer ones of at most `width` seconds that start at multiples of `width`. Windows of the same seconds are merged
 * first. Windows are not folded across a change of `overloadedBy` or across missing seconds. Folding to 10 s and then to 60 s equals
 * folding to 60 s at once. Does not change the given windows. `cuts`: seconds at which a new window must begin.
 */
export function foldWindows(windows: Iterable<Window>, width: number, cuts: ReadonlySet<number> = new Set()): Window[] {
  const folded: Window[] = [];
  for (const window of mergeSameSeconds(windows)) {
    const last = folded.at(-1);
    if (last && !cuts.has(window.second) && canJoin(last, window, width)) folded[folded.length - 1] = joinWindows(last, window);
    else folded.push(window);
  }
  return folded;
}

function canJoin(last: Window, next: Window, width: number): boolean {
  return (
    last.second + last.width === next.second &&
    Math.floor(last.second / width) === Math.floor(next.second / width) &&
    next.second + next.width - last.second <= width &&
    hasSameCauses(last.overloadedBy, next.overloadedBy)
  );
}

/** Joins two consecutive windows. The number in flight is taken from the later one. */
function joinWindows(earlier: Window, later: Window): Window {
  const window = { ...earlier, width: earlier.width + later.width, inFlight: later.inFlight };
  addContents(window, later);
  if (window.side) window.side.inFlight = later.side?.inFlight ?? 0;
  return window;
}

function mergeSameSeconds(windows: Iterable<Window>): Window[] {
  const sorted = [...windows].sort((a, b) => a.second - b.second || a.width - b.width);
  const merged: Window[] = [];
  for (const window of sorted) {
    const last = merged.at(-1);
    if (last && last.second === window.second && last.width === window.width) mergeWindow(last, window);
    else merged.push(copyWindow(window));
  }
  return merged;
}

/** Returns a deep copy of a window. */
export function copyWindow(window: Window): Window {
  const copy = emptyWindow(window.second, window.width);
  addContents(copy, window);
  copy.inFlight = window.inFlight;
  if (window.side) findOrAddSideCalls(copy).inFlight = window.side.inFlight;
  copy.overloadedBy = sortCauses(window.overloadedBy);
  return copy;
}

function addContents(into: Window, from: Window): void {
  mergeLoaded(into.loaded, from.loaded);
  for (const cell of from.cells) mergeCell(findOrAddCell(into, cell.stage, cell.step), cell);
  addCounters(JOURNEY_COUNTERS, into.journeys, from.journeys);
  if (from.side) mergeSideCalls(findOrAddSideCalls(into).cells, from.side.cells);
  if (from.duet) mergeDuet((into.duet ??= []), from.duet);
  if (from.people) mergePeople((into.people ??= emptyPeopleChanges()), from.people);
}

function findOrAddSideCalls(window: Window): SideCalls {
  window.side ??= { cells: [], inFlight: 0 };
  return window.side;
}

export function mergeSideCalls(into: SideCell[], from: readonly SideCell[]): void {
  for (const { step, started, outcomes, errors } of from) {
    let cell = into.find((known) => known.step === step);
    if (!cell) into.push((cell = { step, started: 0, outcomes: {}, errors: {} }));
    cell.started += started;
    mergeCounts(cell.outcomes, outcomes);
    mergeNames(cell.errors, errors);
  }
}

function hasSameCauses(some: readonly OverloadCause[], others: readonly OverloadCause[]): boolean {
  return OVERLOAD_CAUSES.every((cause) => some.includes(cause) === others.includes(cause));
}

function sortCauses(causes: readonly OverloadCause[]): OverloadCause[] {
  return OVERLOAD_CAUSES.filter((cause) => causes.includes(cause));
}

/** Returns counters at 0 for a stage and step. */
export function emptyLoadedCount(stage: number, step: number): LoadedCount {
  return { stage, step, ...zeroCounters(LOADED_COUNTERS) };
}

/** Adds the counts of `from` to `into`, which keeps its own stage and step. */
export function addLoaded(into: LoadedCount, from: LoadedCount): void {
  addCounters(LOADED_COUNTERS, into, from);
}

/** Adds each count of `from` to the count of the same stage and step. */
export function mergeLoaded(into: LoadedCount[], from: readonly LoadedCount[]): void {
  for (const count of from) {
    let known = into.find(({ stage, step }) => stage === count.stage && step === count.step);
    if (!known) into.push((known = emptyLoadedCount(count.stage, count.step)));
    addLoaded(known, count);
  }
}

/** Returns counters at 0 for a variant of a duet in a pair of slots. */
export function emptyDuetCount(pair: number, side: 0 | 1): DuetCount {
  return { pair, side, ...zeroCounters(DUET_COUNTERS) };
}

/** Adds each count of `from` to the count of the same pair and variant. */
export function mergeDuet(into: DuetCount[], from: readonly DuetCount[]): void {
  for (const count of from) {
    // Windows come in order of time: the pair is among the last ones, or new.
    let known = into.findLast(({ pair, side }) => pair === count.pair && side === count.side);
    if (known === undefined) into.push((known = emptyDuetCount(count.pair, count.side)));
    addCounters(DUET_COUNTERS, known, count);
  }
}

/** Number of first responses that are kept individually per stage and step: enough to fit a line to a growing queue. */
export const EARLY_RESPONSES = 64;

/** Merges the earliest responses of two lists, in order. Associative and commutative, so windows and threads can be folded in any order. */
export function keepEarliest(some: readonly EarlyResponse[], others: readonly EarlyResponse[]): EarlyResponse[] {
  return [...some, ...others].sort(compareStarts).slice(0, EARLY_RESPONSES);
}

function compareStarts(one: EarlyResponse, other: EarlyResponse): number {
  return one.startUs - other.startUs || one.responseUs - other.responseUs || Number(one.ok) - Number(other.ok);
}

/** Selects the first responses of one thread. Called for each response, so once enough are kept, a call costs only one comparison. */
export class EarliestStarts {
  private readonly starts: number[] = [];
  private latestUs = Number.NEGATIVE_INFINITY;

  /** Returns whether a response with this intended start is among the first so far, and remembers it if so. */
  takes(startUs: number): boolean {
    const { starts } = this;
    if (starts.length >= EARLY_RESPONSES) {
      if (startUs >= this.latestUs) return false;
      starts.splice(starts.indexOf(this.latestUs), 1);
    }
    starts.push(startUs);
    this.latestUs = Math.max(...starts);
    return true;
  }
}
