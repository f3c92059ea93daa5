import type { Plan, Target } from '#core/plan/schema/plan.ts';
import { type SeriesDocument, seriesSchema } from '#core/plan/schema/series.ts';
import { ENOUGH_REPEATS } from './noise.ts';

/** Two versions of one server, each at its own addresses. */
export interface Versions {
  readonly a: readonly Target[];
  readonly b: readonly Target[];
}

const LONGEST_NAME = 60;

/** The series that tells two versions apart from chance: one plan, run against each in turn, often enough. */
export function seriesOfVersions(plan: Plan, { a, b }: Versions, repeats = ENOUGH_REPEATS): SeriesDocument {
  const { story: _story, ...rest } = plan;
  const variants = [
    { name: nameOf('A', a), targets: a },
    { name: nameOf('B', b), targets: b },
  ];
  return { plan: { ...rest, story: '', targets: [...a] }, series: seriesSchema.parse({ variants, repeats }) };
}

/** “B (127.0.0.1:8001/new)”: its letter tells it from the other whatever its address is. */
function nameOf(letter: string, [first]: readonly Target[]): string {
  const place = first === undefined ? '' : placeOf(first.url);
  if (place === '') return letter;
  return `${letter} (${place.length > LONGEST_NAME - 4 ? `${place.slice(0, LONGEST_NAME - 5)}…` : place})`;
}

/** Host and path of an address, without what all have; empty for none. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, '')}`;
}

/** What has to be the same before two runs can be of two versions: everything but where they were sent, and what they are called. */
export function isSameTest(plan: Plan, other: Plan): boolean {
  const essence = ({ name: _name, story: _story, targets: _targets, claim: _claim, answers: _answers, ...rest }: Plan): string =>
    JSON.stringify(rest);
  return essence(plan) === essence(other);
}
