/** Ids of runs, by side. */
export type Sides = readonly (readonly string[])[];

const BETWEEN_SIDES = '~';
const BETWEEN_RUNS = ',';

/** The page that lays these runs side by side: `/compare/ID,ID~ID,ID`, and after that what was changed on purpose. */
export function compareAddress(sides: Sides, asked: string | null = null): string {
  const kept = sides.filter((runs) => runs.length > 0).map((runs) => runs.join(BETWEEN_RUNS));
  return `/compare/${kept.join(BETWEEN_SIDES)}${asked === null ? '' : `/${asked}`}`;
}

/** The page that runs the test of two runs often enough to tell their versions apart. */
export function versionsAddress(first: string, second: string): string {
  return `/versions/${first}${BETWEEN_SIDES}${second}`;
}

/** The reverse of {@link compareAddress}: each run once, where it is named first. */
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

/** What is known of a run that may be compared. */
interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly target: string;
  readonly startedAt: string;
  readonly series?: { readonly id: string; readonly cell: string } | undefined;
}

/**
 * Which runs belong together, as a first proposal: those of one cell of a series, or of one name against one target. Where all belong together
 * they are divided by time, the earlier half against the later one, as before and after a change; two or three stand by themselves.
 */
export function proposedSides(runs: readonly Candidate[], mostSides: number): string[][] {
  const inOrder = runs.toSorted((one, other) => one.startedAt.localeCompare(other.startedAt));
  const groups = [...Map.groupBy(inOrder, likeness).values()].map((group) => group.map(({ id }) => id));
  if (groups.length > 1 && groups.length <= mostSides) return groups;
  const ids = inOrder.map(({ id }) => id);
  if (ids.length < 4) return ids.map((id) => [id]);
  const half = Math.ceil(ids.length / 2);
  return [ids.slice(0, half), ids.slice(half)];
}

function likeness({ name, target, series }: Candidate): string {
  return JSON.stringify(series === undefined ? [name, target] : [series.id, series.cell]);
}
