import type { LevelOutcome } from './reading.ts';
import type { BreakingPointSettings } from './schema.ts';

/** A level with what its runs said, in the order in which they were made. */
export interface TriedLevel {
  readonly level: number;
  readonly outcomes: readonly LevelOutcome[];
}

/** How a search ends. */
export const SEARCH_ENDS = ['found', 'reachedTop', 'neverHeld', 'mostLevels', 'unclear'] as const;
export type SearchEnd = (typeof SEARCH_ENDS)[number];

export type LevelStep = { readonly kind: 'try'; readonly level: number } | { readonly kind: 'end'; readonly because: SearchEnd };

type Bounds = Pick<BreakingPointSettings, 'growth' | 'precision' | 'repeats' | 'maxLevels'> & {
  readonly from: number;
  readonly to: number | undefined;
  /** Levels are whole numbers: users and connections can only be counted. */
  readonly isWhole: boolean;
};

/** No search goes below this share of where it began. */
const LEAST_SHARE = 1 / 1_000;

/**
 * Which level is run next. It grows by a factor until one is not borne (or shrinks until one is), and then what lies between the highest that was borne and the
 * lowest that was not is halved, on a scale of ratios: the middle of 100 and 200 is 141, so that the search is as exact at small levels as at large ones. From a bracket of
 * ratio g, log2(ln g / ln(1 + precision)) levels are needed: 4 for g = 2 and 5 %.
 */
export function nextLevel(bounds: Bounds, tried: readonly TriedLevel[]): LevelStep {
  const open = tried.find((one) => decided(one, bounds.repeats) === null);
  if (open !== undefined) return { kind: 'try', level: open.level };
  const { held, broke, unclear } = bracketOf(tried, bounds.repeats);
  if (unclear) return { kind: 'end', because: 'unclear' };
  const level = levelWithin(bounds, held, broke);
  if (typeof level !== 'number') return { kind: 'end', because: level };
  if (tried.length >= bounds.maxLevels) return { kind: 'end', because: 'mostLevels' };
  return { kind: 'try', level };
}

/** Between these two lies the breaking point, as far as the levels that were run tell; null where none was (not) borne. */
export interface Bracket {
  readonly held: number | null;
  readonly broke: number | null;
}

/** `unclear`: a level did not tell, and no further one would tell more. */
export function bracketOf(tried: readonly TriedLevel[], repeats: number): Bracket & { readonly unclear: boolean } {
  const of = (outcome: LevelOutcome): number[] =>
    tried.flatMap((one) => ((decided(one, repeats) ?? leaning(one)) === outcome ? [one.level] : []));
  const brokenAt = of('broke');
  const broke = brokenAt.length === 0 ? null : Math.min(...brokenAt);
  const heldAt = of('held').filter((level) => broke === null || level < broke);
  return { held: heldAt.length === 0 ? null : Math.max(...heldAt), broke, unclear: of('unclear').length > 0 };
}

/** Levels of which some runs were borne and some were not: the breaking point is not one number there. */
export function mixedLevels(tried: readonly TriedLevel[]): number[] {
  return tried.filter(({ outcomes }) => new Set(outcomes).size > 1).map(({ level }) => level);
}

/** What most of so many runs say, as soon as the rest cannot change it; null while they still can. A run that does not tell ends the level. */
export function decided({ outcomes }: Pick<TriedLevel, 'outcomes'>, repeats: number): LevelOutcome | null {
  if (outcomes.includes('unclear')) return 'unclear';
  const enough = Math.floor(repeats / 2) + 1;
  const held = outcomes.filter((outcome) => outcome === 'held').length;
  const broke = outcomes.length - held;
  if (held >= enough) return 'held';
  if (broke >= enough || (outcomes.length >= repeats && broke >= held)) return 'broke';
  return null;
}

/** Of a level that somebody cut short. */
function leaning({ outcomes }: TriedLevel): LevelOutcome | null {
  return outcomes.at(-1) ?? null;
}

function levelWithin(bounds: Bounds, held: number | null, broke: number | null): number | SearchEnd {
  const { from, to, growth, precision, isWhole } = bounds;
  const rounded = (level: number): number => (isWhole ? Math.max(1, Math.round(level)) : Number(level.toPrecision(4)));
  if (broke === null) {
    if (held === null) return rounded(Math.min(from, to ?? from));
    if (to !== undefined && held >= to) return 'reachedTop';
    const next = rounded(held * growth);
    return Math.min(next > held ? next : held + 1, to ?? Number.POSITIVE_INFINITY);
  }
  if (held === null) {
    const next = rounded(broke / growth);
    return next >= broke || next < from * LEAST_SHARE ? 'neverHeld' : next;
  }
  if (broke / held <= 1 + precision || (isWhole && broke - held <= 1)) return 'found';
  return rounded(Math.sqrt(held * broke));
}
