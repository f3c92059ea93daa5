import type { ByteReader, ByteWriter } from '#core/statistics/bytes.ts';
import { damagedError } from '#core/statistics/bytes.ts';

/** Maximum number of people who each have a record, by their number in the plan. Others are only counted. */
export const MAX_PEOPLE_RECORDS = 10_000;
/** Maximum number of kinds of ends that are counted separately for people without a record. */
const MAX_FURTHER_KINDS = 2_000;
export const MAX_CAUSE_LENGTH = 40;

/**
 * Where a person is at the end:
 * - `underWay`: on the journey. `waiting`: at a bell.
 * - `ended`: at the end of the journey without a failure, but not at the last milestone. `late`: sent away after the bell.
 * - `refused`: by a response with a status below 500, or with wrong content. `gaveUp`: after an error of the server or without a response.
 * - `done`: at the last milestone. `turnedAway`: no place was left.
 * New ends are appended, because windows are encoded in this order.
 */
export const PERSON_ENDS = ['underWay', 'waiting', 'ended', 'late', 'refused', 'gaveUp', 'done', 'turnedAway'] as const;
export type PersonEnd = (typeof PERSON_ENDS)[number];

/** State of a person. People without a record are counted by state. */
export interface PersonState {
  readonly end: PersonEnd;
  /** Number of milestones up to the furthest reached one; 0 before the first. */
  readonly milestones: number;
  /** Step at which the person was refused or gave up; null for others. */
  readonly step: number | null;
  /** Status or code of the failure; empty for others. */
  readonly cause: string;
  /** Number of acknowledged items. */
  readonly items: number;
  /** Bit set of the gates that the person reached, in their order in the journey. */
  readonly gates: number;
}

/** Returns whether a gate is in a bit set of gates. */
export function hasReached(gates: number, gate: number): boolean {
  return (gates & (1 << gate)) !== 0;
}

/** The state of one person at the end of a window. */
export interface PersonRecord extends PersonState {
  /** Index of the user or the arrival within the plan. */
  readonly person: number;
  /** Number of changes so far. Of two records of a person, the one with more changes is later. */
  readonly changes: number;
  readonly reloads: number;
  /** Number of items that a later step found, and number of items that it did not find. */
  readonly confirmed: number;
  readonly notFound: number;
  /** Row of the feeds with `order: once`; null if there is none. */
  readonly row: number | null;
}

/** People without a record, by their last state. */
export interface FurtherPeople extends PersonState {
  people: number;
}

/** People whose state changed in a window. Merging is associative and commutative, because each person belongs to one thread. */
export interface PeopleChanges {
  records: PersonRecord[];
  further: FurtherPeople[];
}

export function emptyPeopleChanges(): PeopleChanges {
  return { records: [], further: [] };
}

/** Adds the changes of another window or thread. */
export function mergePeople(into: PeopleChanges, from: PeopleChanges): void {
  const sum = new PeopleSum();
  sum.add(into);
  sum.add(from);
  into.records = [...sum.records.values()].sort((one, other) => one.person - other.person);
  into.further = [...sum.further].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, state]) => state);
}

/** The last state of all people. Memory is bounded by {@link MAX_PEOPLE_RECORDS} and the number of kinds of ends. */
export class PeopleSum {
  readonly records = new Map<number, PersonRecord>();
  readonly further = new Map<string, FurtherPeople>();

  add({ records, further }: PeopleChanges): void {
    for (const record of records) {
      const earlierRecord = this.records.get(record.person);
      if (earlierRecord === undefined ? record.person < MAX_PEOPLE_RECORDS : record.changes > earlierRecord.changes)
        this.records.set(record.person, record);
    }
    for (const { people, ...state } of further) this.count(state, people);
  }

  /** Counts people without a record. Beyond the maximum number of kinds, people with different causes and items are counted together. */
  count({ end, milestones, step, cause, items, gates }: PersonState, people: number): void {
    let state: PersonState = { end, milestones, step, cause, items, gates };
    let key = JSON.stringify(state);
    if (!this.further.has(key) && this.further.size >= MAX_FURTHER_KINDS) {
      state = { end, milestones, step: null, cause: '', items: 0, gates };
      key = JSON.stringify(state);
    }
    const known = this.further.get(key);
    if (known === undefined) this.further.set(key, { ...state, people });
    else known.people += people;
  }
}

export function writePeople(writer: ByteWriter, { records, further }: PeopleChanges): void {
  writer.unsigned(records.length);
  for (const record of records) {
    writeState(writer, record);
    writer.unsigned(record.person);
    writer.unsigned(record.changes);
    writer.unsigned(record.reloads);
    writer.unsigned(record.confirmed);
    writer.unsigned(record.notFound);
    writer.unsigned(record.row === null ? 0 : record.row + 1);
  }
  writer.unsigned(further.length);
  for (const state of further) {
    writeState(writer, state);
    writer.unsigned(state.people);
  }
}

export function readPeople(reader: ByteReader): PeopleChanges {
  const records = Array.from({ length: reader.count() }, (): PersonRecord => ({
    ...readState(reader),
    person: reader.unsigned(),
    changes: reader.unsigned(),
    reloads: reader.unsigned(),
    confirmed: reader.unsigned(),
    notFound: reader.unsigned(),
    row: orNull(reader.unsigned()),
  }));
  const further = Array.from({ length: reader.count() }, (): FurtherPeople => ({ ...readState(reader), people: reader.unsigned() }));
  return { records, further };
}

function writeState(writer: ByteWriter, { end, milestones, step, cause, items, gates }: PersonState): void {
  writer.unsigned(PERSON_ENDS.indexOf(end));
  writer.unsigned(milestones);
  writer.unsigned(step === null ? 0 : step + 1);
  writer.text(cause);
  writer.unsigned(items);
  writer.unsigned(gates);
}

function readState(reader: ByteReader): PersonState {
  const end = PERSON_ENDS[reader.unsigned()];
  if (end === undefined) throw damagedError('a person has an unknown end');
  return {
    end,
    milestones: reader.unsigned(),
    step: orNull(reader.unsigned()),
    cause: reader.text().slice(0, MAX_CAUSE_LENGTH),
    items: reader.unsigned(),
    gates: reader.unsigned(),
  };
}

/** Decodes a number that may be missing. Such numbers are encoded plus 1. */
function orNull(encoded: number): number | null {
  return encoded === 0 ? null : encoded - 1;
}
