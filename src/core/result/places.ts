import { z } from 'zod';
import { withoutAbsent } from '#core/base/lists.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import type { Window } from '#core/measurement/window.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { addInto, type Histogram, createTotalHistogram } from '#core/statistics/histogram.ts';

/** Outcome of a limited number of places. */
export const placesResultSchema = z.strictObject({
  /** Name of the step that gives the places. */
  step: z.string(),
  places: z.int(),
  /** Number of users to whom a response gave a place. */
  given: z.int(),
  /** Number of users who saw that no place was left. */
  refused: z.int(),
  /** Smallest growth among the counts of the target; null if nothing counts the places. */
  stored: z.int().nullable(),
  /**
   * Time in ms from the request of the first refused user to that of the last user who got a place; 0 if all who got a place sent their
   * requests before all who did not. null if nobody was refused or nobody got a place.
   */
  disorderMs: z.number().nullable(),
});
export type PlacesResult = z.output<typeof placesResultSchema>;

/** A count of the target before and after the load. */
interface CountReading {
  readonly step: string;
  readonly before: number;
  readonly after: number | null;
}

/** Sums the places that were given and refused, by index of their requests. */
export class PlacesTally {
  private readonly given = new Map<number, Histogram>();
  private readonly refused = new Map<number, Histogram>();

  add({ cells }: Window): void {
    for (const { step, times } of cells) {
      addTimes(this.given, step, times.placeGiven);
      addTimes(this.refused, step, times.placeRefused);
    }
  }

  /** Returns the places of the plan; undefined if no step gives any. */
  result(plan: Plan, readings: readonly CountReading[]): PlacesResult | undefined {
    const index = plan.journey.findIndex(({ places }) => places?.count !== undefined);
    const step = plan.journey[index];
    if (step?.places?.count === undefined) return undefined;
    const requestIndexes = listRecordedRequests(plan).flatMap((request, requestIndex) => (request.step === index ? [requestIndex] : []));
    const given = sumTimes(this.given, requestIndexes);
    const refused = sumTimes(this.refused, requestIndexes);
    const isCompared = given.totalCount > 0 && refused.totalCount > 0;
    const grown = readings.flatMap(({ step: name, before, after }) => (name === step.name && after !== null ? [after - before] : []));
    return {
      step: step.name,
      places: step.places.count,
      given: given.totalCount,
      refused: sumTimes(this.refused, [...this.refused.keys()]).totalCount,
      stored: grown.length === 0 ? null : Math.min(...grown),
      disorderMs: isCompared ? Math.max(0, given.maxValue - refused.minNonZeroValue) / 1_000 : null,
    };
  }
}

function addTimes(sums: Map<number, Histogram>, requestIndex: number, times: Histogram | undefined): void {
  if (times === undefined) return;
  const sum = sums.get(requestIndex) ?? createTotalHistogram();
  addInto(sum, times);
  sums.set(requestIndex, sum);
}

function sumTimes(sums: ReadonlyMap<number, Histogram>, requestIndexes: readonly number[]): Histogram {
  const all = createTotalHistogram();
  for (const requestIndex of requestIndexes) {
    const sum = sums.get(requestIndex);
    if (sum !== undefined) addInto(all, sum);
  }
  return all;
}

/**
 * Returns by how many the given places exceed the existing ones, according to the responses or to the count of the target, whichever shows
 * more.
 */
export function countOversold({ places, given, stored }: PlacesResult): number {
  return Math.max(0, given - places, (stored ?? 0) - places);
}

/** Returns a sentence if more places were given than exist; empty otherwise. */
export function oversoldSentence(result: PlacesResult): string[] {
  const { places } = result;
  const oversold = countOversold(result);
  return oversold === 0
    ? []
    : [`${formatCount(places + oversold)} places were given for ${formatCount(places)}: oversold by ${formatCount(oversold)}.`];
}

/** Describes the places in sentences, the result first. */
export function placesSentences(result: PlacesResult): string[] {
  const { places, given, refused, stored, disorderMs } = result;
  const [oversold] = oversoldSentence(result);
  return withoutAbsent([
    oversold ?? `${formatCount(given)} of ${formatCount(places)} places were given.`,
    refused > 0 && `${formatCount(refused)} saw that no place was left.`,
    stored !== null && stored !== given && `The responses gave ${formatCount(given)} places, and ${formatCount(stored)} are stored.`,
    disorderMs === 0 && 'Places were given in the order of arrival.',
    disorderMs !== null &&
      disorderMs > 0 &&
      `Places were given in the order of arrival within ${formatMs(disorderMs)}: so much later than the first who saw that none was left, somebody still got one.`,
  ]);
}
