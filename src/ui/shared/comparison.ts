import type { Standing } from '#core/comparison/schema.ts';
import type { Tone } from '#ui/components/Banner.tsx';

/** Ids of runs, by side. */
export type Sides = readonly (readonly string[])[];

const BETWEEN_SIDES = '~';
const BETWEEN_RUNS = ',';

/** Returns the route of a comparison: `/compare/ID,ID~ID,ID`, followed by the aspect that was changed on purpose. */
export function compareAddress(sides: Sides, aspect: string | null = null): string {
  const sideTexts = sides.filter((runs) => runs.length > 0).map((runs) => runs.join(BETWEEN_RUNS));
  return `/compare/${sideTexts.join(BETWEEN_SIDES)}${aspect === null ? '' : `/${aspect}`}`;
}

/** Returns the route of the form that repeats two runs until the versions that they tested can be compared. */
export function versionsAddress(first: string, second: string): string {
  return `/versions/${first}${BETWEEN_SIDES}${second}`;
}

/** Parses the sides from a {@link compareAddress}. Each run is returned once, at its first position. */
export function sidesOfAddress(text: string): string[][] {
  const seen = new Set<string>();
  return text
    .split(BETWEEN_SIDES)
    .map((runs) =>
      runs.split(BETWEEN_RUNS).filter((id) => {
        if (id === '' || seen.has(id)) return false;
        seen.add(id);
        return true;
      }),
    )
    .filter((runs) => runs.length > 0);
}

/** A run that may be compared. */
interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly target: string;
  readonly startedAt: string;
  readonly series?: { readonly id: string; readonly cell: string } | undefined;
}

/**
 * Proposes the sides of a comparison. Runs of the same series cell, or with the same name and target, share a side. If that results in one
 * side or in too many sides, the runs are split by time into an earlier and a later half, as before and after a change. Three or fewer runs
 * become one side each.
 */
export function proposeSides(runs: readonly Candidate[], maxSides: number): string[][] {
  const inOrder = runs.toSorted((one, other) => one.startedAt.localeCompare(other.startedAt));
  const groups = [...Map.groupBy(inOrder, comparisonKey).values()].map((group) => group.map(({ id }) => id));
  if (groups.length > 1 && groups.length <= maxSides) return groups;
  const ids = inOrder.map(({ id }) => id);
  if (ids.length < 4) return ids.map((id) => [id]);
  const half = Math.ceil(ids.length / 2);
  return [ids.slice(0, half), ids.slice(half)];
}

function comparisonKey({ name, target, series }: Candidate): string {
  return JSON.stringify(series === undefined ? [name, target] : [series.id, series.cell]);
}

/** Returns the colour for the conclusion of a comparison. A mixed result is neither good nor bad. */
export function toneOfStanding(standing: Standing): Tone {
  switch (standing) {
    case 'worse':
      return 'failed';
    case 'better':
      return 'passed';
    case 'tooFew':
    case 'refused':
      return 'inconclusive';
    case 'isBaseline':
    case 'different':
    case 'withinNoise':
      return 'info';
    default:
      return standing satisfies never;
  }
}
