import type { LevelOutcome } from './reading.ts';
import type { BreakingPointSettings } from './schema.ts';

/** A level with the outcomes of its runs in order. */
export interface TriedLevel {
  readonly level: number;
  readonly outcomes: readonly LevelOutcome[];
}

/** Reasons why a search ends. */
export const SEARCH_ENDS = ['found', 'reachedTop', 'neverHeld', 'mostLevels', 'unclear'] as const;
export type SearchEnd = (typeof SEARCH_ENDS)[number];

export type LevelStep = { readonly kind: 'try'; readonly level: number } | { readonly kind: 'end'; readonly because: SearchEnd };

type Bounds = Pick<BreakingPointSettings, 'growth' | 'precision' | 'repeats' | 'maxLevels'> & {
  readonly from: number;
  readonly to: number | undefined;
  /** Whether levels are whole numbers: users and connections. */
  readonly isWhole: boolean;
};

/** Smallest level, as a share of the first one. */
const MIN_LEVEL_SHARE = 1 / 1_000;

/**
 * Returns the next level. Levels grow by a factor until one fails (or shrink until one passes). Then the interval between the highest passed and the lowest
 * failed level is halved geometrically: between 100 and 200 at 141, so the relative precision is the same at all levels. From a bracket of ratio g, log2(ln
 * g / ln(1 + precision)) levels are needed: 4 for g = 2 and 5 %.
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

/** The breaking point lies between these levels; null if no level passed or failed. */
export interface Bracket {
  readonly held: number | null;
  readonly broke: number | null;
}

/** `unclear`: a level was inconclusive, and further levels would be, too. */
export function bracketOf(tried: readonly TriedLevel[], repeats: number): Bracket & { readonly unclear: boolean } {
  const of = (outcome: LevelOutcome): number[] =>
    tried.flatMap((one) => ((decided(one, repeats) ?? lastOutcomeOf(one)) === outcome ? [one.level] : []));
  const brokenAt = of('broke');
  const broke = brokenAt.length === 0 ? null : Math.min(...brokenAt);
  const heldAt = of('held').filter((level) => broke === null || level < broke);
  return { held: heldAt.length === 0 ? null : Math.max(...heldAt), broke, unclear: of('unclear').length > 0 };
}

/** Returns the levels at which some runs passed and some failed. */
export function mixedLevels(tried: readonly TriedLevel[]): number[] {
  return tried.filter(({ outcomes }) => new Set(outcomes).size > 1).map(({ level }) => level);
}

/** Returns the majority of the runs as soon as further runs cannot change it; otherwise null. An inconclusive run decides its level. */
export function decided({ outcomes }: Pick<TriedLevel, 'outcomes'>, repeats: number): LevelOutcome | null {
  if (outcomes.includes('unclear')) return 'unclear';
  const enough = Math.floor(repeats / 2) + 1;
  const held = outcomes.filter((outcome) => outcome === 'held').length;
  const broke = outcomes.length - held;
  if (held >= enough) return 'held';
  if (broke >= enough || (outcomes.length >= repeats && broke >= held)) return 'broke';
  return null;
}

/** Outcome of a level that was cut short: its last run. */
function lastOutcomeOf({ outcomes }: TriedLevel): LevelOutcome | null {
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
    return next >= broke || next < from * MIN_LEVEL_SHARE ? 'neverHeld' : next;
  }
  if (broke / held <= 1 + precision || (isWhole && broke - held <= 1)) return 'found';
  return rounded(Math.sqrt(held * broke));
}
