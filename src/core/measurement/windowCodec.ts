import { addCount } from '#core/base/counts.ts';
import { flatCopy } from '#core/base/text.ts';
import { addNames } from '#core/base/foreignNames.ts';
import { getOrSetOwn } from '#core/base/ownMembers.ts';
import { ByteReader, ByteWriter, damaged } from '#core/statistics/bytes.ts';
import { readHistogram, writeHistogram } from '#core/statistics/histogram.ts';
import { type Outcome, OUTCOMES } from './ledger.ts';
import {
  type CacheCount,
  type Cell,
  type EarlyAnswer,
  type JourneyCounts,
  type LoadedCount,
  SICK_CAUSES,
  type SideCalls,
  TIME_KINDS,
  type Window,
} from './window.ts';
import { addServer, mergeServers, noCacheCount, noServerCount } from './windowFold.ts';

/** First byte of an encoded window. A change of any list below (outcomes, kinds of time, causes) but at its end needs a new one. */
export const WINDOW_CODEC_VERSION = 7;
/** Without journeys that were not started. */
const VERSION_WITHOUT_NOT_STARTED = 1;
/** Without results that are waited for, and without servers. */
const VERSION_WITHOUT_SERVERS = 2;
/** Without the first answers one by one. */
const VERSION_WITHOUT_EARLY = 3;
/** Without side calls, and without journeys by the stage in which they began: all began with the first step of the plan. */
const VERSION_WITHOUT_SIDE_CALLS = 4;
/** Without what came while each stage was loaded. */
const VERSION_WITHOUT_LOADED = 5;
/** Without answers that came from a cache. */
const VERSION_WITHOUT_CACHE = 6;

/** A window as bytes: what threads send each other and what the store compresses and keeps. */
export function encodeWindow(window: Window): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(WINDOW_CODEC_VERSION);
  writer.float(window.second);
  writer.float(window.width);
  writer.unsigned(window.inFlight);
  writer.unsigned(maskOf(SICK_CAUSES, (cause) => window.sick.includes(cause)));
  const { journeys } = window;
  for (const key of JOURNEY_KEYS) writer.unsigned(journeys[key]);
  writer.unsigned(window.cells.length);
  for (const cell of window.cells) writeCell(writer, cell);
  writer.unsigned(window.side === undefined ? 0 : 1);
  if (window.side) writeSide(writer, window.side);
  writer.unsigned(window.loaded === undefined ? 0 : 1);
  if (window.loaded) writeLoaded(writer, window.loaded);
  return writer.bytes();
}

/** The reverse of {@link encodeWindow}. Bytes that it cannot have written are refused with `DATA_DAMAGED`. */
export function decodeWindow(bytes: Uint8Array): Window {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  if (version < VERSION_WITHOUT_NOT_STARTED || version > WINDOW_CODEC_VERSION)
    throw damaged(`their format ${version} is not known to this version`);
  const second = reader.float();
  const width = reader.float();
  if (!Number.isFinite(second) || !Number.isFinite(width) || width <= 0) throw damaged('a window has no place in time');
  const inFlight = reader.unsigned();
  const sick = inMask(SICK_CAUSES, reader.unsigned());
  const journeys: JourneyCounts = {
    started: reader.unsigned(),
    finished: reader.unsigned(),
    abandoned: reader.unsigned(),
    notStartedTarget: reader.unsigned(),
    notStartedGenerator: reader.unsigned(),
    notStartedStopped: reader.unsigned(),
  };
  const cells = Array.from({ length: reader.count() }, () => readCell(reader, version));
  const side = version > VERSION_WITHOUT_SIDE_CALLS && reader.unsigned() > 0 ? { side: readSide(reader) } : {};
  const loaded = version > VERSION_WITHOUT_LOADED && reader.unsigned() > 0 ? { loaded: readLoaded(reader) } : {};
  reader.expectEnd();
  return { second, width, cells, ...loaded, journeys, inFlight, ...side, sick };
}

const JOURNEY_KEYS = ['started', 'finished', 'abandoned', 'notStartedTarget', 'notStartedGenerator', 'notStartedStopped'] as const;

function writeCell(writer: ByteWriter, cell: Cell): void {
  writer.unsigned(cell.stage);
  writer.unsigned(cell.step);
  writer.unsigned(cell.started);
  writeOutcomes(writer, cell.outcomes);
  writeCounts(writer, cell.statuses);
  writeCounts(writer, cell.errors);
  writer.unsigned(cell.bytesReceived);
  writer.unsigned(cell.bytesSent);
  writer.unsigned(cell.bodyBytes);
  writer.unsigned(cell.bodyLengthDiffers);
  writer.signed(cell.bodyLengthDeviation);
  writer.unsigned(cell.bodyEmpty);
  writer.unsigned(cell.connectionsOpened);
  writer.unsigned(cell.requestsOnReusedConnection);
  writer.unsigned(cell.notStartedTarget);
  writer.unsigned(cell.notStartedGenerator);
  writer.unsigned(cell.waitsBegun);
  writeServers(writer, cell.servers);
  writeEarly(writer, cell.early);
  writer.unsigned(cell.journeysStarted);
  writer.unsigned(cell.cache === undefined ? 0 : 1);
  if (cell.cache) for (const key of CACHE_KEYS) writer.unsigned(cell.cache[key]);
  writer.unsigned(maskOf(TIME_KINDS, (kind) => cell.times[kind] !== undefined));
  for (const kind of TIME_KINDS) {
    const histogram = cell.times[kind];
    if (histogram) writeHistogram(writer, histogram);
  }
}

function readCell(reader: ByteReader, version: number): Cell {
  const stage = reader.unsigned();
  const step = reader.unsigned();
  const started = reader.unsigned();
  const outcomes = readOutcomes(reader);
  const cell: Cell = {
    stage,
    step,
    started,
    outcomes,
    statuses: readCounts(reader),
    errors: readNames(reader),
    bytesReceived: reader.unsigned(),
    bytesSent: reader.unsigned(),
    bodyBytes: reader.unsigned(),
    bodyLengthDiffers: reader.unsigned(),
    bodyLengthDeviation: reader.signed(),
    bodyEmpty: reader.unsigned(),
    connectionsOpened: reader.unsigned(),
    requestsOnReusedConnection: reader.unsigned(),
    notStartedTarget: version === VERSION_WITHOUT_NOT_STARTED ? 0 : reader.unsigned(),
    notStartedGenerator: version === VERSION_WITHOUT_NOT_STARTED ? 0 : reader.unsigned(),
    waitsBegun: version <= VERSION_WITHOUT_SERVERS ? 0 : reader.unsigned(),
    servers: version <= VERSION_WITHOUT_SERVERS ? {} : readServers(reader),
    early: version <= VERSION_WITHOUT_EARLY ? [] : readEarly(reader),
    journeysStarted: version <= VERSION_WITHOUT_SIDE_CALLS ? (step === 0 ? started : 0) : reader.unsigned(),
    times: {},
  };
  if (version > VERSION_WITHOUT_CACHE && reader.unsigned() > 0) cell.cache = readCache(reader);
  for (const kind of inMask(TIME_KINDS, reader.unsigned())) cell.times[kind] = readHistogram(reader);
  return cell;
}

const CACHE_KEYS = ['fromCache', 'fromServer', 'fromCacheUs', 'fromServerUs'] as const satisfies readonly (keyof CacheCount)[];

function readCache(reader: ByteReader): CacheCount {
  const cache = noCacheCount();
  for (const key of CACHE_KEYS) cache[key] = reader.unsigned();
  return cache;
}

function writeLoaded(writer: ByteWriter, counts: readonly LoadedCount[]): void {
  writer.unsigned(counts.length);
  for (const { stage, step, answered, ok, bytesReceived, pages } of counts)
    for (const value of [stage, step, answered, ok, bytesReceived, pages]) writer.unsigned(value);
}

function readLoaded(reader: ByteReader): LoadedCount[] {
  return Array.from({ length: reader.count() }, () => ({
    stage: reader.unsigned(),
    step: reader.unsigned(),
    answered: reader.unsigned(),
    ok: reader.unsigned(),
    bytesReceived: reader.unsigned(),
    pages: reader.unsigned(),
  }));
}

function writeSide(writer: ByteWriter, { cells, inFlight }: SideCalls): void {
  writer.unsigned(inFlight);
  writer.unsigned(cells.length);
  for (const { step, started, outcomes, errors } of cells) {
    writer.unsigned(step);
    writer.unsigned(started);
    writeOutcomes(writer, outcomes);
    writeCounts(writer, errors);
  }
}

function readSide(reader: ByteReader): SideCalls {
  const inFlight = reader.unsigned();
  const cells = Array.from({ length: reader.count() }, () => ({
    step: reader.unsigned(),
    started: reader.unsigned(),
    outcomes: readOutcomes(reader),
    errors: readNames(reader),
  }));
  return { cells, inFlight };
}

function writeOutcomes(writer: ByteWriter, outcomes: Cell['outcomes']): void {
  writer.unsigned(maskOf(OUTCOMES, (outcome) => outcomes[outcome] !== undefined));
  for (const outcome of OUTCOMES) {
    const count = outcomes[outcome];
    if (count !== undefined) writer.unsigned(count);
  }
}

function readOutcomes(reader: ByteReader): Partial<Record<Outcome, number>> {
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const outcome of inMask(OUTCOMES, reader.unsigned())) outcomes[outcome] = reader.unsigned();
  return outcomes;
}

function writeCounts(writer: ByteWriter, counts: Readonly<Record<string, number>>): void {
  const entries = Object.entries(counts);
  writer.unsigned(entries.length);
  for (const [name, count] of entries) {
    writer.text(name);
    writer.unsigned(count);
  }
}

function readCounts(reader: ByteReader): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let left = reader.count(); left > 0; left--) addCount(counts, nameIn(reader), reader.unsigned());
  return counts;
}

/** No name that is counted here is longer; whoever wrote a longer one gets its beginning counted. */
const LONGEST_NAME = 500;

function nameIn(reader: ByteReader): string {
  const name = reader.text();
  return name.length > LONGEST_NAME ? flatCopy(name.slice(0, LONGEST_NAME)) : name;
}

/** Whoever wrote them: a record of names takes no more of them than one that is counted here. */
function readNames(reader: ByteReader): Record<string, number> {
  return addNames([readCounts(reader)]);
}

function writeServers(writer: ByteWriter, servers: Cell['servers']): void {
  const entries = Object.entries(servers);
  writer.unsigned(entries.length);
  for (const [name, { answered, failed, unanswered, serviceUs }] of entries) {
    writer.text(name);
    writer.unsigned(answered);
    writer.unsigned(failed);
    writer.unsigned(unanswered);
    writer.unsigned(serviceUs);
  }
}

function readServers(reader: ByteReader): Cell['servers'] {
  const servers: Cell['servers'] = {};
  for (let left = reader.count(); left > 0; left--) {
    const name = nameIn(reader);
    const count = { answered: reader.unsigned(), failed: reader.unsigned(), unanswered: reader.unsigned(), serviceUs: reader.unsigned() };
    addServer(getOrSetOwn(servers, name, noServerCount), count);
  }
  const bounded: Cell['servers'] = {};
  mergeServers(bounded, servers);
  return bounded;
}

function writeEarly(writer: ByteWriter, early: readonly EarlyAnswer[]): void {
  writer.unsigned(early.length);
  for (const { startUs, responseUs, ok } of early) {
    writer.unsigned(startUs);
    writer.unsigned(responseUs);
    writer.byte(ok ? 1 : 0);
  }
}

function readEarly(reader: ByteReader): EarlyAnswer[] {
  return Array.from({ length: reader.count() }, () => ({
    startUs: reader.unsigned(),
    responseUs: reader.unsigned(),
    ok: reader.byte() === 1,
  }));
}

function maskOf<Name>(names: readonly Name[], has: (name: Name) => boolean): number {
  return names.reduce((mask, name, index) => (has(name) ? mask + 2 ** index : mask), 0);
}

function inMask<Name>(names: readonly Name[], mask: number): Name[] {
  if (mask >= 2 ** names.length) throw damaged('they name something unknown');
  return names.filter((_, index) => Math.floor(mask / 2 ** index) % 2 === 1);
}
