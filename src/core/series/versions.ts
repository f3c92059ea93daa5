import type { Plan, Target } from '#core/plan/schema/plan.ts';
import { type SeriesDocument, seriesSchema } from '#core/plan/schema/series.ts';
import { ENOUGH_REPEATS } from './noise.ts';

/** Two versions of a server, each with its own addresses. */
export interface Versions {
  readonly a: readonly Target[];
  readonly b: readonly Target[];
}

const MAX_NAME_LENGTH = 60;

/** Returns a series that compares two versions: the plan runs against each in turn, with enough repeats. */
export function seriesOfVersions(plan: Plan, { a, b }: Versions, repeats = ENOUGH_REPEATS): SeriesDocument {
  const { story: _story, ...rest } = plan;
  const variants = [
    { name: nameOf('A', a), targets: a },
    { name: nameOf('B', b), targets: b },
  ];
  return { plan: { ...rest, story: '', targets: [...a] }, series: seriesSchema.parse({ variants, repeats }) };
}

/** Example: “B (127.0.0.1:8001/new)”. The letter distinguishes versions with the same address. */
function nameOf(letter: string, [first]: readonly Target[]): string {
  const place = first === undefined ? '' : placeOf(first.url);
  if (place === '') return letter;
  return `${letter} (${place.length > MAX_NAME_LENGTH - 4 ? `${place.slice(0, MAX_NAME_LENGTH - 5)}…` : place})`;
}

/** Returns the host and path of an address; empty for an invalid one. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, '')}`;
}

/** Returns whether two runs may be of two versions: everything is equal except addresses and names. */
export function isSameTest(plan: Plan, other: Plan): boolean {
  const essence = ({ name: _name, story: _story, targets: _targets, claim: _claim, answers: _answers, ...rest }: Plan): string =>
    JSON.stringify(rest);
  return essence(plan) === essence(other);
}
