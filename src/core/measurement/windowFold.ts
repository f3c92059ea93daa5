import { mergeCounts } from '#core/base/counts.ts';
import { keepLargest, mergeNames } from '#core/base/foreignNames.ts';
import { getOrSetOwn } from '#core/base/ownMembers.ts';
import { addInto, emptyLike, type Histogram, newSum } from '#core/statistics/histogram.ts';
import { earliest, loadedOf, mergeLoaded } from './loaded.ts';
import {
  type CacheCount,
  type Cell,
  type JourneyCounts,
  type ServerCount,
  SICK_CAUSES,
  type SickCause,
  type SideCalls,
  type SideCell,
  TIME_KINDS,
  type Window,
} from './window.ts';

export function emptyJourneys(): JourneyCounts {
  return { started: 0, finished: 0, abandoned: 0, notStartedTarget: 0, notStartedGenerator: 0, notStartedStopped: 0 };
}

/** A window of the seconds [second, second + width) in which nothing happened. */
export function emptyWindow(second: number, width: number): Window {
  return { second, width, cells: [], journeys: emptyJourneys(), inFlight: 0, sick: [] };
}

export function emptyCell(stage: number, step: number): Cell {
  return {
    stage,
    step,
    started: 0,
    outcomes: {},
    statuses: {},
    errors: {},
    bytesReceived: 0,
    bytesSent: 0,
    bodyBytes: 0,
    bodyLengthDiffers: 0,
    bodyLengthDeviation: 0,
    bodyEmpty: 0,
    connectionsOpened: 0,
    requestsOnReusedConnection: 0,
    journeysStarted: 0,
    notStartedTarget: 0,
    notStartedGenerator: 0,
    waitsBegun: 0,
    servers: {},
    early: [],
    times: {},
  };
}

/** The window's cell of a stage and step; made empty where there is none yet. */
export function cellOf(window: Window, stage: number, step: number): Cell {
  for (const cell of window.cells) if (cell.stage === stage && cell.step === step) return cell;
  const cell = emptyCell(stage, step);
  window.cells.push(cell);
  return cell;
}

/** Adds every count and histogram of `from` to `into`, which keeps its own stage and step. `from` is left as it is. */
export function mergeCell(into: Cell, from: Cell, make: (like: Histogram) => Histogram = emptyLike): void {
  into.started += from.started;
  mergeCounts(into.outcomes, from.outcomes);
  mergeCounts(into.statuses, from.statuses);
  mergeNames(into.errors, from.errors);
  into.bytesReceived += from.bytesReceived;
  into.bytesSent += from.bytesSent;
  into.bodyBytes += from.bodyBytes;
  into.bodyLengthDiffers += from.bodyLengthDiffers;
  into.bodyLengthDeviation += from.bodyLengthDeviation;
  into.bodyEmpty += from.bodyEmpty;
  into.connectionsOpened += from.connectionsOpened;
  into.requestsOnReusedConnection += from.requestsOnReusedConnection;
  into.journeysStarted += from.journeysStarted;
  into.notStartedTarget += from.notStartedTarget;
  into.notStartedGenerator += from.notStartedGenerator;
  into.waitsBegun += from.waitsBegun;
  mergeServers(into.servers, from.servers);
  if (from.cache) addCache((into.cache ??= noCacheCount()), from.cache);
  if (from.early.length > 0) into.early = earliest(into.early, from.early);
  for (const kind of TIME_KINDS) {
    const source = from.times[kind];
    if (source) addInto((into.times[kind] ??= make(source)), source);
  }
}

export function noServerCount(): ServerCount {
  return { answered: 0, failed: 0, unanswered: 0, serviceUs: 0 };
}

export function addServer(into: ServerCount, from: ServerCount): void {
  into.answered += from.answered;
  into.failed += from.failed;
  into.unanswered += from.unanswered;
  into.serviceUs += from.serviceUs;
}

/** Adds what each server did; of more than MOST_NAMES those that had most to do are kept by name. */
export function mergeServers(into: Record<string, ServerCount>, from: Readonly<Record<string, ServerCount>>): void {
  for (const [name, count] of Object.entries(from)) addServer(getOrSetOwn(into, name, noServerCount), count);
  keepLargest(into, ({ answered, unanswered }) => answered + unanswered, serversTogether);
}

function serversTogether(counts: readonly ServerCount[]): ServerCount {
  const sum = noServerCount();
  for (const count of counts) addServer(sum, count);
  return sum;
}

export function noCacheCount(): CacheCount {
  return { fromCache: 0, fromServer: 0, fromCacheUs: 0, fromServerUs: 0 };
}

export function addCache(into: CacheCount, from: CacheCount): void {
  into.fromCache += from.fromCache;
  into.fromServer += from.fromServer;
  into.fromCacheUs += from.fromCacheUs;
  into.fromServerUs += from.fromServerUs;
}

/** {@link mergeCell} into a histogram that holds a whole run. */
export function mergeCellIntoTotal(into: Cell, from: Cell): void {
  mergeCell(into, from, newSum);
}

export function mergeJourneys(into: JourneyCounts, from: JourneyCounts): void {
  into.started += from.started;
  into.finished += from.finished;
  into.abandoned += from.abandoned;
  into.notStartedTarget += from.notStartedTarget;
  into.notStartedGenerator += from.notStartedGenerator;
  into.notStartedStopped += from.notStartedStopped;
}

/**
 * Adds a window of other threads or machines to the one of the same seconds. What is in flight adds up, and one sick
 * generator makes the second sick. Throws a RangeError for a window of other seconds.
 */
export function mergeWindow(into: Window, other: Window): void {
  if (into.second !== other.second || into.width !== other.width) {
    throw new RangeError(`A window of second ${other.second} cannot be merged into one of second ${into.second}.`);
  }
  addContents(into, other);
  into.inFlight += other.inFlight;
  if (other.side) sideOf(into).inFlight += other.side.inFlight;
  into.sick = inOrder([...into.sick, ...other.sick]);
}

/**
 * Folds windows into longer ones of at most `width` seconds that start at multiples of it. Windows of the same seconds are
 * merged first. Windows are never folded across a change of `sick`, nor across seconds that are missing: those stay a gap.
 * Folding to 10 s and then to 60 s gives the same as folding to 60 s at once. The given windows are left as they are.
 * `cuts`: seconds that are folded across by no window.
 */
export function foldWindows(windows: Iterable<Window>, width: number, cuts: ReadonlySet<number> = new Set()): Window[] {
  const folded: Window[] = [];
  for (const window of mergeSameSeconds(windows)) {
    const last = folded.at(-1);
    if (last && !cuts.has(window.second) && joins(last, window, width)) folded[folded.length - 1] = joined(last, window);
    else folded.push(window);
  }
  return folded;
}

function joins(last: Window, next: Window, width: number): boolean {
  return (
    last.second + last.width === next.second &&
    Math.floor(last.second / width) === Math.floor(next.second / width) &&
    next.second + next.width - last.second <= width &&
    sameCauses(last.sick, next.sick)
  );
}

/** The later window says what is in flight at the end of both. */
function joined(earlier: Window, later: Window): Window {
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

/** A window that shares nothing with the given one. */
export function copyWindow(window: Window): Window {
  const copy = emptyWindow(window.second, window.width);
  addContents(copy, window);
  copy.inFlight = window.inFlight;
  if (window.side) sideOf(copy).inFlight = window.side.inFlight;
  copy.sick = inOrder(window.sick);
  return copy;
}

function addContents(into: Window, from: Window): void {
  if (into.loaded || from.loaded) mergeLoaded((into.loaded ??= [...loadedOf(into)]), loadedOf(from));
  for (const cell of from.cells) mergeCell(cellOf(into, cell.stage, cell.step), cell);
  mergeJourneys(into.journeys, from.journeys);
  if (from.side) mergeSideCalls(sideOf(into).cells, from.side.cells);
}

function sideOf(window: Window): SideCalls {
  window.side ??= { cells: [], inFlight: 0 };
  return window.side;
}

/** Adds the side calls of `from` to those of the same steps. */
export function mergeSideCalls(into: SideCell[], from: readonly SideCell[]): void {
  for (const { step, started, outcomes, errors } of from) {
    let cell = into.find((known) => known.step === step);
    if (!cell) into.push((cell = { step, started: 0, outcomes: {}, errors: {} }));
    cell.started += started;
    mergeCounts(cell.outcomes, outcomes);
    mergeNames(cell.errors, errors);
  }
}

function sameCauses(some: readonly SickCause[], others: readonly SickCause[]): boolean {
  return SICK_CAUSES.every((cause) => some.includes(cause) === others.includes(cause));
}

function inOrder(causes: readonly SickCause[]): SickCause[] {
  return SICK_CAUSES.filter((cause) => causes.includes(cause));
}
