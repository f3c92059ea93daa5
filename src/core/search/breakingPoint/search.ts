import type { LevelOutcome } from './reading.ts';
import type { BreakingPointSettings } from './schema.ts';

/** A level with the outcomes of its runs in order. */
export interface TriedLevel {
  readonly level: number;
  readonly outcomes: readonly LevelOutcome[];
}

/** Reasons why a search ends. */
export const SEARCH_ENDS = ['found', 'reachedTop', 'neverPassed', 'mostLevels', 'unclear'] as const;
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
  const { sustained, breakingPoint, unclear } = bracketOf(tried, bounds.repeats);
  if (unclear) return { kind: 'end', because: 'unclear' };
  const level = levelWithin(bounds, sustained, breakingPoint);
  if (typeof level !== 'number') return { kind: 'end', because: level };
  if (tried.length >= bounds.maxLevels) return { kind: 'end', because: 'mostLevels' };
  return { kind: 'try', level };
}

/** The breaking point lies between these levels; null if no level passed or failed. */
export interface Bracket {
  readonly sustained: number | null;
  readonly breakingPoint: number | null;
}

/** `unclear`: a level was inconclusive, and further levels would be, too. */
export function bracketOf(tried: readonly TriedLevel[], repeats: number): Bracket & { readonly unclear: boolean } {
  const of = (outcome: LevelOutcome): number[] =>
    tried.flatMap((one) => ((decided(one, repeats) ?? lastOutcomeOf(one)) === outcome ? [one.level] : []));
  const failedLevels = of('failed');
  const breakingPoint = failedLevels.length === 0 ? null : Math.min(...failedLevels);
  const passedLevels = of('passed').filter((level) => breakingPoint === null || level < breakingPoint);
  return { sustained: passedLevels.length === 0 ? null : Math.max(...passedLevels), breakingPoint, unclear: of('unclear').length > 0 };
}

/** Returns the levels at which some runs passed and some failed. */
export function mixedLevels(tried: readonly TriedLevel[]): number[] {
  return tried.filter(({ outcomes }) => new Set(outcomes).size > 1).map(({ level }) => level);
}

/** Returns the majority of the runs as soon as further runs cannot change it; otherwise null. An inconclusive run decides its level. */
export function decided({ outcomes }: Pick<TriedLevel, 'outcomes'>, repeats: number): LevelOutcome | null {
  if (outcomes.includes('unclear')) return 'unclear';
  const enough = Math.floor(repeats / 2) + 1;
  const passed = outcomes.filter((outcome) => outcome === 'passed').length;
  const failed = outcomes.length - passed;
  if (passed >= enough) return 'passed';
  if (failed >= enough || (outcomes.length >= repeats && failed >= passed)) return 'failed';
  return null;
}

/** Outcome of a level that was cut short: its last run. */
function lastOutcomeOf({ outcomes }: TriedLevel): LevelOutcome | null {
  return outcomes.at(-1) ?? null;
}

function levelWithin(bounds: Bounds, sustained: number | null, breakingPoint: number | null): number | SearchEnd {
  const { from, to, growth, precision, isWhole } = bounds;
  const rounded = (level: number): number => (isWhole ? Math.max(1, Math.round(level)) : Number(level.toPrecision(4)));
  if (breakingPoint === null) {
    if (sustained === null) return rounded(Math.min(from, to ?? from));
    if (to !== undefined && sustained >= to) return 'reachedTop';
    const next = rounded(sustained * growth);
    return Math.min(next > sustained ? next : sustained + 1, to ?? Number.POSITIVE_INFINITY);
  }
  if (sustained === null) {
    const next = rounded(breakingPoint / growth);
    return next >= breakingPoint || next < from * MIN_LEVEL_SHARE ? 'neverPassed' : next;
  }
  if (breakingPoint / sustained <= 1 + precision || (isWhole && breakingPoint - sustained <= 1)) return 'found';
  return rounded(Math.sqrt(sustained * breakingPoint));
}
