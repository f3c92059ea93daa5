import { addCount } from '#core/base/lists.ts';
import { flatCopy } from '#core/base/text.ts';
import { addNames } from '#core/base/foreignNames.ts';
import { getOrSetOwn } from '#core/base/ownMembers.ts';
import { ByteReader, ByteWriter, damagedError } from '#core/statistics/bytes.ts';
import { readHistogram, writeHistogram } from '#core/statistics/histogram.ts';
import {
  addCounters,
  CACHE_COUNTERS,
  CELL_COUNTERS,
  type CounterName,
  DUET_COUNTERS,
  JOURNEY_COUNTERS,
  LOADED_COUNTERS,
  zeroCounters,
  SERVER_COUNTERS,
  SIGNED_COUNTERS,
  STREAM_COUNTERS,
} from './counters.ts';
import { readPeople, writePeople } from './people.ts';
import { type Outcome, OUTCOMES } from './requestOutcomes.ts';
import {
  type Cell,
  type DuetCount,
  type EarlyResponse,
  type LoadedCount,
  OVERLOAD_CAUSES,
  type SideCalls,
  TIME_KINDS,
  type Window,
} from './window.ts';
import { mergeServers, emptyServerCount } from './windowFold.ts';

/**
 * First byte of an encoded window. Any change of an encoded list (counters, outcomes, kinds of time, causes) needs a new version. An
 * appended cause does not, because older data are decoded in the same way. Formats 1 to 8 predate the first release and are rejected,
 * because format 1 would be misread.
 */
export const WINDOW_CODEC_VERSION = 11;
/** Older formats: without duets, and without duets and people. */
const VERSION_WITHOUT_DUETS = 10;
const VERSION_WITHOUT_PEOPLE = 9;
const READABLE_VERSIONS: ReadonlySet<number> = new Set([WINDOW_CODEC_VERSION, VERSION_WITHOUT_DUETS, VERSION_WITHOUT_PEOPLE]);

/** Encodes a window for transfer between threads and for the store. */
export function encodeWindow(window: Window): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(WINDOW_CODEC_VERSION);
  writer.float(window.second);
  writer.float(window.width);
  writer.unsigned(window.inFlight);
  writer.unsigned(toMask(OVERLOAD_CAUSES, (cause) => window.overloadedBy.includes(cause)));
  writeCounters(writer, JOURNEY_COUNTERS, window.journeys);
  writer.unsigned(window.cells.length);
  for (const cell of window.cells) writeCell(writer, cell);
  writer.unsigned(window.side === undefined ? 0 : 1);
  if (window.side) writeSide(writer, window.side);
  writer.unsigned(window.loaded.length);
  for (const count of window.loaded) {
    writer.unsigned(count.stage);
    writer.unsigned(count.step);
    writeCounters(writer, LOADED_COUNTERS, count);
  }
  writer.unsigned(window.people === undefined ? 0 : 1);
  if (window.people) writePeople(writer, window.people);
  writer.unsigned(window.duet?.length ?? 0);
  for (const count of window.duet ?? []) {
    writer.unsigned(count.pair);
    writer.unsigned(count.side);
    writeCounters(writer, DUET_COUNTERS, count);
  }
  return writer.bytes();
}

/** Decodes the bytes of {@link encodeWindow}. Throws `DATA_DAMAGED` for anything else. */
export function decodeWindow(bytes: Uint8Array): Window {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  if (!READABLE_VERSIONS.has(version)) throw damagedError(`their format ${version} is unknown to this version`);
  const second = reader.float();
  const width = reader.float();
  if (!Number.isFinite(second) || !Number.isFinite(width) || width <= 0) throw damagedError('a window has no place in time');
  const inFlight = reader.unsigned();
  const overloadedBy = namesInMask(OVERLOAD_CAUSES, reader.unsigned());
  const journeys = readCounters(reader, JOURNEY_COUNTERS);
  const cells = Array.from({ length: reader.count() }, () => readCell(reader));
  const side = reader.unsigned() > 0 ? { side: readSide(reader) } : {};
  const loaded = Array.from({ length: reader.count() }, (): LoadedCount => ({
    stage: reader.unsigned(),
    step: reader.unsigned(),
    ...readCounters(reader, LOADED_COUNTERS),
  }));
  const people = version !== VERSION_WITHOUT_PEOPLE && reader.unsigned() > 0 ? { people: readPeople(reader) } : {};
  const duet = version === WINDOW_CODEC_VERSION ? readDuet(reader) : [];
  reader.expectEnd();
  return { second, width, cells, loaded, journeys, inFlight, ...side, ...people, ...(duet.length === 0 ? {} : { duet }), overloadedBy };
}

function readDuet(reader: ByteReader): DuetCount[] {
  return Array.from({ length: reader.count() }, () => ({
    pair: reader.unsigned(),
    side: reader.unsigned() === 0 ? 0 : 1,
    ...readCounters(reader, DUET_COUNTERS),
  }));
}

function writeCounters<Name extends CounterName>(
  writer: ByteWriter,
  names: readonly Name[],
  counters: Readonly<Record<Name, number>>,
): void {
  for (const name of names) {
    if (SIGNED_COUNTERS.has(name)) writer.signed(counters[name]);
    else writer.unsigned(counters[name]);
  }
}

function readCounters<Name extends CounterName>(reader: ByteReader, names: readonly Name[]): Record<Name, number> {
  const counters = zeroCounters(names);
  for (const name of names) counters[name] = SIGNED_COUNTERS.has(name) ? reader.signed() : reader.unsigned();
  return counters;
}

function writeCell(writer: ByteWriter, cell: Cell): void {
  writer.unsigned(cell.stage);
  writer.unsigned(cell.step);
  writeCounters(writer, CELL_COUNTERS, cell);
  writeOutcomes(writer, cell.outcomes);
  writeStatuses(writer, cell.statuses);
  writeCounts(writer, cell.errors);
  writeServers(writer, cell.servers);
  writeEarly(writer, cell.early);
  writer.unsigned(cell.cache === undefined ? 0 : 1);
  if (cell.cache) writeCounters(writer, CACHE_COUNTERS, cell.cache);
  writer.unsigned(cell.streams === undefined ? 0 : 1);
  if (cell.streams) writeCounters(writer, STREAM_COUNTERS, cell.streams);
  writer.unsigned(toMask(TIME_KINDS, (kind) => cell.times[kind] !== undefined));
  for (const kind of TIME_KINDS) {
    const histogram = cell.times[kind];
    if (histogram) writeHistogram(writer, histogram);
  }
}

function readCell(reader: ByteReader): Cell {
  const cell: Cell = {
    stage: reader.unsigned(),
    step: reader.unsigned(),
    ...readCounters(reader, CELL_COUNTERS),
    outcomes: readOutcomes(reader),
    statuses: readStatuses(reader),
    errors: readNames(reader),
    servers: readServers(reader),
    early: readEarly(reader),
    times: {},
  };
  if (reader.unsigned() > 0) cell.cache = readCounters(reader, CACHE_COUNTERS);
  if (reader.unsigned() > 0) cell.streams = readCounters(reader, STREAM_COUNTERS);
  for (const kind of namesInMask(TIME_KINDS, reader.unsigned())) cell.times[kind] = readHistogram(reader);
  return cell;
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
  writer.unsigned(toMask(OUTCOMES, (outcome) => outcomes[outcome] !== undefined));
  for (const outcome of OUTCOMES) {
    const count = outcomes[outcome];
    if (count !== undefined) writer.unsigned(count);
  }
}

function readOutcomes(reader: ByteReader): Partial<Record<Outcome, number>> {
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const outcome of namesInMask(OUTCOMES, reader.unsigned())) outcomes[outcome] = reader.unsigned();
  return outcomes;
}

function writeStatuses(writer: ByteWriter, statuses: Cell['statuses']): void {
  writer.unsigned(statuses.size);
  for (const [status, count] of statuses) {
    writer.text(String(status));
    writer.unsigned(count);
  }
}

function readStatuses(reader: ByteReader): Cell['statuses'] {
  const statuses: Cell['statuses'] = new Map();
  for (let left = reader.count(); left > 0; left--) {
    const status = Number(reader.text());
    if (!Number.isInteger(status)) throw damagedError('a status is no number');
    statuses.set(status, (statuses.get(status) ?? 0) + reader.unsigned());
  }
  return statuses;
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

/** Maximum length of a name that is counted. Longer names from other writers are truncated. */
const MAX_NAME_LENGTH = 500;

function nameIn(reader: ByteReader): string {
  const name = reader.text();
  return name.length > MAX_NAME_LENGTH ? flatCopy(name.slice(0, MAX_NAME_LENGTH)) : name;
}

/** Reads counts by name. Limits the number of names, as for a record that is counted in this process. */
function readNames(reader: ByteReader): Record<string, number> {
  return addNames([readCounts(reader)]);
}

function writeServers(writer: ByteWriter, servers: Cell['servers']): void {
  const entries = Object.entries(servers);
  writer.unsigned(entries.length);
  for (const [name, count] of entries) {
    writer.text(name);
    writeCounters(writer, SERVER_COUNTERS, count);
  }
}

function readServers(reader: ByteReader): Cell['servers'] {
  const servers: Cell['servers'] = {};
  for (let left = reader.count(); left > 0; left--) {
    const name = nameIn(reader);
    addCounters(SERVER_COUNTERS, getOrSetOwn(servers, name, emptyServerCount), readCounters(reader, SERVER_COUNTERS));
  }
  const bounded: Cell['servers'] = {};
  mergeServers(bounded, servers);
  return bounded;
}

function writeEarly(writer: ByteWriter, early: readonly EarlyResponse[]): void {
  writer.unsigned(early.length);
  for (const { startUs, responseUs, ok } of early) {
    writer.unsigned(startUs);
    writer.unsigned(responseUs);
    writer.byte(ok ? 1 : 0);
  }
}

function readEarly(reader: ByteReader): EarlyResponse[] {
  return Array.from({ length: reader.count() }, () => ({
    startUs: reader.unsigned(),
    responseUs: reader.unsigned(),
    ok: reader.byte() === 1,
  }));
}

function toMask<Name>(names: readonly Name[], has: (name: Name) => boolean): number {
  return names.reduce((mask, name, index) => (has(name) ? mask + 2 ** index : mask), 0);
}

function namesInMask<Name>(names: readonly Name[], mask: number): Name[] {
  if (mask >= 2 ** names.length) throw damagedError('they name something unknown');
  const named: Name[] = [];
  // Most masks contain one or two of up to 31 names, and three masks are read for each cell. For that reason, only the bits that are set
  // are visited.
  for (let left = mask; left !== 0; left &= left - 1) {
    const name = names[31 - Math.clz32(left & -left)];
    if (name !== undefined) named.push(name);
  }
  return named;
}
