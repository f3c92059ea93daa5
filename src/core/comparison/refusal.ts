import { inARow } from '#core/plan/hosts/places.ts';
import type { Aspect, Dissimilarity } from './schema.ts';
import { ASPECT_WORDS } from './words.ts';

/** What of the differences between all sides lies between two of them. */
export function between(dissimilar: readonly Dissimilarity[], reference: number, side: number): Dissimilarity[] {
  return dissimilar.filter(({ values }) => new Set([...(values[reference] ?? []), ...(values[side] ?? [])]).size > 1);
}

interface Question {
  /** What differs between the two sides, or within one of them. */
  readonly dissimilar: readonly Dissimilarity[];
  readonly asked: Aspect | null;
  readonly names: readonly [reference: string, side: string];
  readonly places: readonly [reference: number, side: number];
}

/**
 * Why a difference between two sides could not be put down to what was asked about; empty where it could. Runs of one side have to be alike.
 * Between the sides, nothing may differ but what was asked about; where nobody said what that is, one thing may.
 */
export function refusals({ dissimilar, asked, names, places }: Question): string[] {
  const mixed = places.flatMap((place, index) => {
    const unlike = dissimilar.filter(({ values }) => (values[place]?.length ?? 0) > 1);
    return unlike.length === 0
      ? []
      : [
          `The runs of “${names[index]}” are not repeats of each other: ${listed(aspectsOf(unlike))} ${unlike.length === 1 ? 'differs' : 'differ'} among them (${unlike[0]?.what}).`,
        ];
  });
  if (mixed.length > 0) return mixed;
  const differing = aspectsOf(dissimilar);
  const others = differing.filter((aspect) => aspect !== asked);
  if (asked !== null)
    return others.length === 0
      ? []
      : [
          `You asked what ${ASPECT_WORDS[asked]} changes, and ${listed(others)} ${isOne(others) ? 'differs' : 'differ'} as well: either may have done it.`,
        ];
  return differing.length < 2 ? [] : [`They differ in more than one thing: ${listed(differing)}. Each of them may have done it.`];
}

/** What has to be the same for a run to stand beside its baseline. */
const OF_THE_PLAN: ReadonlySet<Aspect> = new Set(['load', 'plan', 'variant']);
/** Differences of a plan that a sentence names. */
const MOST_NAMED = 3;

/** Why runs of another plan are not set against a baseline; empty where the plans are the same. */
export function planRefusals(dissimilar: readonly Dissimilarity[]): string[] {
  const differing = dissimilar.filter(({ aspect }) => OF_THE_PLAN.has(aspect));
  if (differing.length === 0) return [];
  const named = differing.slice(0, MOST_NAMED).map(({ what, values }) => `${what} (${values.map((side) => side.join(', ')).join(' / ')})`);
  const more = differing.length > MOST_NAMED ? `, and ${differing.length - MOST_NAMED} more` : '';
  return [`The plans differ: ${named.join(', ')}${more}. A baseline speaks of runs of its own plan only: name one of this plan.`];
}

export function aspectsOf(dissimilar: readonly Dissimilarity[]): Aspect[] {
  return [...new Set(dissimilar.map(({ aspect }) => aspect))];
}

export function listed(aspects: readonly Aspect[]): string {
  return inARow(aspects.map((aspect) => ASPECT_WORDS[aspect]));
}

function isOne(aspects: readonly Aspect[]): boolean {
  return aspects.length === 1 && aspects[0] !== 'tuning';
}
