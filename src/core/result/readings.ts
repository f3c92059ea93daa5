import { z } from 'zod';
import { sumOf } from '#core/base/lists.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatPart, formatCount, isOrAre, formatSeconds } from '#core/base/units.ts';
import { findPeopleRules } from '#core/work/journey/people.ts';
import { type ComparedItems, itemsOfPersonSchema } from './people.ts';
import type { GeneratorReading, RunEvent, RunResult } from './schema.ts';

/** Returns a reading in which all values are unknown. */
export function unknownReading(second: number): GeneratorReading {
  return {
    second,
    threadCpu: null,
    threadWait: null,
    machineCpu: null,
    steal: null,
    eventLoopDelayMs: null,
    scheduleLagMs: null,
    garbageCollectionMs: null,
    stoodStillMs: null,
    memoryBytes: null,
    openFiles: null,
    timeWaitSockets: null,
    sockets: null,
    watched: {},
    overloadedBy: [],
  };
}

export const watchedReadingSchema = z.strictObject({ second: z.number(), values: z.record(z.string(), z.number()) });
export type WatchedReading = z.infer<typeof watchedReadingSchema>;

/** Returns the watched numbers of the readings that have any. */
export function listWatchedReadings(readings: readonly (GeneratorReading | null)[]): WatchedReading[] {
  return readings.flatMap((reading) =>
    reading !== null && Object.keys(reading.watched).length > 0 ? [{ second: reading.second, values: reading.watched }] : [],
  );
}

/** Returns the readings of the load generator that has the most of them. */
export function longestWatchedReadings(generators: RunResult['generators']): WatchedReading[] {
  const all = generators.map(({ readings }) => listWatchedReadings(readings));
  return all.sort((one, other) => other.length - one.length)[0] ?? [];
}

/** Kind of the event that contains counts of the target. */
export const STORED_EVENT = 'stored';

/** A count of the target before the load, and at the last reading after the load; null if it could not be read. */
const storedReadingSchema = z.strictObject({
  /**
   * Index in the plan's “stored”. Events hide a name that equals the value of a header, so the name does not suffice. Missing in older
   * results.
   */
  index: z.int().optional(),
  name: z.string(),
  step: z.string(),
  before: z.number(),
  after: z.number().nullable(),
  /** False if the count was not constant for long enough at its last reading, so that more items may have arrived. */
  stands: z.boolean().default(true),
  /**
   * For acknowledged items with a marker: how many were compared individually, how many are not listed, and how many are listed more than
   * once.
   */
  items: z
    .strictObject({
      compared: z.int(),
      missing: z.int(),
      repeated: z.int(),
      /** Number of listed items whose requests had no successful response; 0 in older results. */
      unacknowledged: z.int().default(0),
      /** People with missing or unacknowledged items; omitted for a plan without people. */
      people: z.array(itemsOfPersonSchema).optional(),
      /** Whether more items were acknowledged than are compared. */
      isPartial: z.boolean().optional(),
    })
    .optional(),
  /**
   * For unfinished work: its amount at the end of the load, and the number of seconds for which it was watched until the reading `after`.
   */
  unfinished: z.strictObject({ atEnd: z.number(), seconds: z.number() }).optional(),
});
export type StoredReading = z.output<typeof storedReadingSchema>;

/** Returns all readings of stored items among the events, with the names from the plan. Readings of another form are left out. */
export function listStoredReadings(plan: Pick<RunResult['plan'], 'stored'>, events: readonly RunEvent[]): StoredReading[] {
  return listReadings(plan, events).filter(({ unfinished }) => unfinished === undefined);
}

/** Returns the comparison of people's items with the target; null if there is none. */
export function comparedItems(plan: RunResult['plan'], events: readonly RunEvent[]): ComparedItems | null {
  const steps = new Set([...(findPeopleRules(plan)?.items ?? [])].map((index) => plan.journey[index]?.name));
  const compared = listStoredReadings(plan, events).flatMap(({ step, items }) =>
    items?.people !== undefined && steps.has(step) ? [{ ...items, people: items.people }] : [],
  );
  if (compared.length === 0) return null;
  const people = new Map<number, ComparedItems['people'][number]>();
  for (const found of compared.flatMap((items) => items.people)) {
    const known = people.get(found.person) ?? { person: found.person, missing: 0, unacknowledged: 0 };
    people.set(found.person, {
      person: found.person,
      missing: known.missing + found.missing,
      unacknowledged: known.unacknowledged + found.unacknowledged,
    });
  }
  return {
    missing: sumOf(compared, ({ missing }) => missing),
    unacknowledged: sumOf(compared, ({ unacknowledged }) => unacknowledged),
    isWhole: compared.every(({ isPartial }) => isPartial !== true),
    people: [...people.values()],
  };
}

/** Returns the readings of the work that the target had not finished when the load ended. */
export function listUnfinishedReadings(plan: Pick<RunResult['plan'], 'stored'>, events: readonly RunEvent[]): StoredReading[] {
  return listReadings(plan, events).filter(({ unfinished }) => unfinished !== undefined);
}

function listReadings({ stored }: Pick<RunResult['plan'], 'stored'>, events: readonly RunEvent[]): StoredReading[] {
  return events.flatMap(({ kind, data }) => {
    const reading = kind === STORED_EVENT ? storedReadingSchema.safeParse(data).data : undefined;
    if (reading === undefined) return [];
    const { name, step } = (reading.index === undefined ? undefined : stored?.[reading.index]) ?? reading;
    return [{ ...reading, name, step }];
  });
}

/** Returns counts of stored items, taken from the numbers that were read during the load (`watch`). */
export function listWatchedCounts({ watch }: Pick<RunResult['plan'], 'watch'>, generators: RunResult['generators']): StoredReading[] {
  return (watch ?? []).flatMap(({ name, counts }) => {
    if (counts === undefined) return [];
    const values = longestWatchedReadings(generators).flatMap((reading) => getOwn(reading.values, name) ?? []);
    const [before, after] = [values[0], values.at(-1)];
    return before === undefined || after === undefined || values.length < 2 ? [] : [{ name, step: counts, before, after, stands: true }];
  });
}

/**
 * Compares stored with acknowledged items in words, with the readings if they differ; null if they could not be read after the load.
 * `acknowledged`: number of successful responses of the step; null while unknown.
 */
export function formatStored(
  { name, before, after, stands, items, unfinished }: StoredReading,
  acknowledged: number | null,
): string | null {
  if (after === null) return null;
  if (unfinished !== undefined)
    return `“${name}” was ${formatCount(before)} before the load, ${formatCount(unfinished.atEnd)} at its end and ${formatCount(after)} after ${formatSeconds(unfinished.seconds)}.`;
  const found = after - before;
  const readings = `“${name}” was ${formatCount(before)} before the load and ${formatCount(after)} after it.`;
  const each =
    items === undefined || items.missing + items.repeated === 0
      ? ''
      : ` Of ${formatCount(items.compared)} compared one by one, ${formatCount(items.missing)} ${isOrAre(items.missing)} missing and ${formatCount(items.repeated)} ${isOrAre(items.repeated)} stored more than once.`;
  const more = stands ? each : each + ' When last read it had changed too recently to be final: more may have been stored since.';
  if (acknowledged === null) return readings + more;
  if (found === acknowledged && found > 0 && each === '')
    return `“${name}”: ${formatPart(found, acknowledged)} acknowledged are stored.${more}`;
  return `“${name}”: ${formatCount(acknowledged)} acknowledged, ${formatCount(found)} stored. ${readings}${more}`;
}

/** Returns how many items of a step were acknowledged: its successful responses, except those that refuse a place. */
export function countAcknowledged(step: string, { ok }: { readonly ok: number }, places: RunResult['places']): number {
  return places?.step === step ? places.given : ok;
}

/** Adds the acknowledged number to the text of a stored event. Other events are unchanged. */
export function addAcknowledged(
  event: RunEvent,
  requestsByStep: RunResult['requestsByStep'],
  plan: Pick<RunResult['plan'], 'stored'>,
  places?: RunResult['places'],
): RunEvent {
  const [reading] = listStoredReadings(plan, [event]);
  if (reading === undefined) return event;
  const requests = getOwn(requestsByStep, reading.step);
  return requests === undefined
    ? event
    : { ...event, text: formatStored(reading, countAcknowledged(reading.step, requests, places)) ?? event.text };
}
