import { OUTCOMES, type Outcome } from '../ledger.ts';
import { ByteReader, ByteWriter, damaged } from './bytes.ts';
import { readHistogram, writeHistogram } from './histogram.ts';
import { SICK_CAUSES, TIME_KINDS, type Cell, type JourneyCounts, type Window } from './window.ts';

/** First byte of an encoded window. A change of any list below (outcomes, kinds of time, causes) but at its end needs a new one. */
export const WINDOW_CODEC_VERSION = 2;
/** Without journeys that were not started. */
const VERSION_WITHOUT_NOT_STARTED = 1;

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
  return writer.bytes();
}

/** The reverse of {@link encodeWindow}. Bytes that it cannot have written are refused with `DATA_DAMAGED`. */
export function decodeWindow(bytes: Uint8Array): Window {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  if (version !== WINDOW_CODEC_VERSION && version !== VERSION_WITHOUT_NOT_STARTED)
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
  reader.expectEnd();
  return { second, width, cells, journeys, inFlight, sick };
}

const JOURNEY_KEYS = ['started', 'finished', 'abandoned', 'notStartedTarget', 'notStartedGenerator', 'notStartedStopped'] as const;

function writeCell(writer: ByteWriter, cell: Cell): void {
  writer.unsigned(cell.stage);
  writer.unsigned(cell.step);
  writer.unsigned(cell.started);
  writer.unsigned(maskOf(OUTCOMES, (outcome) => cell.outcomes[outcome] !== undefined));
  for (const outcome of OUTCOMES) {
    const count = cell.outcomes[outcome];
    if (count !== undefined) writer.unsigned(count);
  }
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
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const outcome of inMask(OUTCOMES, reader.unsigned())) outcomes[outcome] = reader.unsigned();
  const cell: Cell = {
    stage,
    step,
    started,
    outcomes,
    statuses: readCounts(reader),
    errors: readCounts(reader),
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
    times: {},
  };
  for (const kind of inMask(TIME_KINDS, reader.unsigned())) cell.times[kind] = readHistogram(reader);
  return cell;
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
  const entries = Array.from({ length: reader.count() }, (): [string, number] => [reader.text(), reader.unsigned()]);
  return Object.fromEntries(entries);
}

function maskOf<Name>(names: readonly Name[], has: (name: Name) => boolean): number {
  return names.reduce((mask, name, index) => (has(name) ? mask + 2 ** index : mask), 0);
}

function inMask<Name>(names: readonly Name[], mask: number): Name[] {
  if (mask >= 2 ** names.length) throw damaged('they name something unknown');
  return names.filter((_, index) => Math.floor(mask / 2 ** index) % 2 === 1);
}
