import type { Plan } from '#core/plan/schema/plan.ts';
import type { SearchRun } from '../run.ts';
import { type Aftermath, listAftermaths } from './aftermath.ts';
import { isWhole, computeMaxSeconds, startOf } from './levels.ts';
import type { LevelOutcome, LevelReading, RecoveryReading } from './reading.ts';
import type { BreakingPointConclusion, BreakingPointSettings } from './schema.ts';

/** Maximum number of repeated runs of a level because this computer was overloaded. */
const MAX_DISTURBED_RUNS = 2;
/** Maximum number of longer runs of a level. */
const MAX_LONGER_RUNS = 2;
/** Maximum ratio of the response time to that of a calm level at which no queue can have grown. */
const MAX_CALM_RATIO = 1.1;

/** What a search has found so far. */
export interface SearchFacts {
  readonly plan: Plan;
  readonly settings: BreakingPointSettings;
  readonly levels: readonly LevelReading[];
  /** Runs in which this computer was overloaded. Their levels are repeated if there is enough time. */
  readonly disturbed: readonly LevelReading[];
  /** Runs that could not distinguish a growing queue from chance and were repeated for longer. */
  readonly tooShort: readonly LevelReading[];
  /** Runs that may have passed or failed by chance but decide the breaking point. */
  readonly byChance: readonly LevelReading[];
  readonly recovery: RecoveryReading | null;
  /** Time that the server needed to recover after each level. */
  readonly aftermaths: readonly Aftermath[];
  readonly bracket: Bracket;
  /** 95 % interval of the breaking point. An end is null if no level determines it. */
  readonly range: BreakingPointConclusion['range'];
  readonly mixed: readonly number[];
  /** The next step, if there is enough time. */
  readonly step: LevelStep;
  /** The reason why the search ended; null while it continues. */
  readonly end: SearchEnd | null;
}

export function searchFacts(plan: Plan, settings: BreakingPointSettings, runs: readonly SearchRun[]): SearchFacts {
  const all = runs.flatMap(({ reading }) => (reading?.kind === 'level' ? [reading] : []));
  const disturbed = findDisturbed(all, settings.repeats);
  const whole = all.filter((one) => !disturbed.includes(one));
  const doubtful = whole.filter((one) => mayBeChance(one, whole));
  const short = findTooShort(doubtful, (level) => computeMaxSeconds(plan, level, settings, all));
  const tooShort = short.filter((one) => whole.some((other) => other.level === one.level && isMoreConclusive(other, one)));
  const levels = whole.filter((one) => !tooShort.includes(one));
  const recovery = runs.flatMap(({ reading }) => (reading?.kind === 'recovery' ? [reading] : []))[0] ?? null;
  const tried = listTriedLevels(levels);
  const { unclear, ...bracket } = findBracket(tried, settings.repeats);
  // Levels above a failed one also fail, and levels below a passed one also pass. For that reason, only the two levels around the breaking
  // point must be certain.
  const byChance = levels.filter(
    (one) =>
      doubtful.includes(one) &&
      (one.level === bracket.breakingPoint || (one.level === bracket.sustained && bracket.breakingPoint !== null)),
  );
  // The number of runs per level has a fixed maximum, because a run that is cut off may show less than the previous one.
  const countRunsAt = (level: number): number => whole.filter((one) => one.level === level).length;
  const isDisturbed = (level: number): boolean => disturbed.filter((one) => one.level === level).length > MAX_DISTURBED_RUNS;
  const mayRepeat = (one: LevelReading): boolean =>
    short.includes(one) && countRunsAt(one.level) < settings.repeats + MAX_LONGER_RUNS && !isDisturbed(one.level);
  const again = unclear ? undefined : byChance.find(mayRepeat);
  const step: LevelStep = again === undefined ? chooseNextLevel(searchBounds(plan, settings), tried) : { kind: 'try', level: again.level };
  return {
    plan,
    settings,
    levels,
    disturbed,
    tooShort,
    byChance,
    recovery,
    aftermaths: listAftermaths(runs),
    bracket,
    range: rangeOf(bracket, levels),
    mixed: listMixedLevels(tried),
    step,
    end: step.kind === 'end' ? step.because : null,
  };
}

/**
 * Returns the runs to repeat because this computer was overloaded. If that happened more than {@link MAX_DISTURBED_RUNS} times at a level,
 * all of its runs count, unless the others suffice.
 */
function findDisturbed(readings: readonly LevelReading[], repeats: number): LevelReading[] {
  const overloadedRuns = readings.filter(({ because, overloadedSeconds }) => because === 'generator' && overloadedSeconds > 0);
  const isReported = (level: number): boolean => {
    const others = readings.filter((one) => one.level === level && !overloadedRuns.includes(one));
    return decideOutcome({ outcomes: others.map(({ outcome }) => outcome) }, repeats) !== null;
  };
  return overloadedRuns.filter(
    ({ level }) => overloadedRuns.filter((one) => one.level === level).length <= MAX_DISTURBED_RUNS || isReported(level),
  );
}

/** Returns whether a longer run could change the outcome. If responses were no slower than at a lower level, there is no queue. */
function mayBeChance({ level, outcome, wantedSeconds, meanMs }: LevelReading, all: readonly LevelReading[]): boolean {
  if (wantedSeconds === null) return false;
  const calm = all.find((one) => one.outcome === 'passed' && one.level < level && one.meanMs !== null);
  return outcome !== 'passed' || (meanMs ?? Infinity) > MAX_CALM_RATIO * (calm?.meanMs ?? 0);
}

/**
 * Returns the 95 % interval of the breaking point. At a rate, a level sustains level × (1 − share), where the share by which the queue grew
 * has its own interval. If no queue certainly grew at the lowest failed level, a higher level gives the upper end. For other loads, only
 * outcomes that chance did not decide count.
 */
function rangeOf({ sustained, breakingPoint }: Bracket, levels: readonly LevelReading[]): BreakingPointConclusion['range'] {
  const isPlain = (one: LevelReading): boolean =>
    one.isSure && levels.every((other) => other.level !== one.level || other.outcome === one.outcome);
  // The variability of a server shows under load. A passed level may have been undisturbed by chance.
  const busy = Math.max(0, ...levels.flatMap((one) => (one.outcome === 'failed' ? unevennessScore(one) : [])));
  const lows = levels.flatMap((one) => {
    if (one.outcome !== 'passed' || one.level > (sustained ?? 0)) return [];
    if (one.growthShare === null) return isPlain(one) ? [one.level] : [];
    if (one.level !== sustained) return [];
    const { low, high } = one.growthShare;
    const share = (low + high) / 2 + Math.max(unevennessScore(one), busy) / Math.sqrt(Math.max(1, one.seconds));
    return [one.level * (1 - Math.min(1, Math.max(0, share)))];
  });
  const highs = levels.flatMap((one) => {
    if (one.outcome !== 'failed' || one.level < (breakingPoint ?? Infinity)) return [];
    if (one.because === 'queue' && one.growthShare !== null) return one.growthShare.low > 0 ? [one.level] : [];
    return isPlain(one) ? [one.level] : [];
  });
  return { low: lows.length === 0 ? null : Math.max(...lows), high: highs.length === 0 ? null : Math.min(...highs) };
}

/** Returns the half-width of the interval of the share, scaled to one second of observation. */
function unevennessScore({ growthShare, seconds }: LevelReading): number {
  return growthShare === null ? 0 : ((growthShare.high - growthShare.low) / 2) * Math.sqrt(Math.max(1, seconds));
}

/**
 * Returns whether another run is longer, or was cut off because most requests failed. In both cases, repeating the shorter run is useless.
 */
function isMoreConclusive(other: LevelReading, short: LevelReading): boolean {
  return other.seconds > short.seconds || other.because === 'safety';
}

/** Returns the runs after which a longer run is made. */
function findTooShort(doubtful: readonly LevelReading[], longest: (level: number) => number): LevelReading[] {
  const short = doubtful.filter(({ level, seconds }) => seconds < longest(level));
  return short.filter(({ level }, index) => short.slice(0, index + 1).filter((one) => one.level === level).length <= MAX_LONGER_RUNS);
}

/** Returns the parameters of the search algorithm. */
function searchBounds(plan: Plan, settings: BreakingPointSettings) {
  return { ...settings, from: startOf(plan, settings), to: settings.to, isWhole: isWhole(plan) };
}

function listTriedLevels(levels: readonly LevelReading[]): TriedLevel[] {
  return [...new Set(levels.map(({ level }) => level))].map((level) => ({
    level,
    outcomes: levels.filter((one) => one.level === level).map(({ outcome }) => outcome),
  }));
}

/** A level with the outcomes of its runs, in order. */
export interface TriedLevel {
  readonly level: number;
  readonly outcomes: readonly LevelOutcome[];
}

/** Reasons why a search ends. */
const SEARCH_ENDS = ['found', 'reachedTop', 'neverPassed', 'mostLevels', 'unclear'] as const;
type SearchEnd = (typeof SEARCH_ENDS)[number];

type LevelStep = { readonly kind: 'try'; readonly level: number } | { readonly kind: 'end'; readonly because: SearchEnd };

type Bounds = Pick<BreakingPointSettings, 'growth' | 'precision' | 'repeats' | 'maxLevels'> & {
  readonly from: number;
  readonly to: number | undefined;
  /** Whether levels are whole numbers, as for users and connections. */
  readonly isWhole: boolean;
};

/** Minimum level, as a share of the first one. */
const MIN_LEVEL_SHARE = 1 / 1_000;

/**
 * Returns the next level. Levels grow by a factor until one fails (or shrink until one passes). Then the interval between the highest
 * passed and the lowest failed level is halved geometrically, for example between 100 and 200 at 141. The relative precision is thus the
 * same at all levels. From a bracket of ratio g, log2(ln g / ln(1 + precision)) levels are needed: 4 for g = 2 and 5 %.
 */
export function chooseNextLevel(bounds: Bounds, tried: readonly TriedLevel[]): LevelStep {
  const open = tried.find((one) => decideOutcome(one, bounds.repeats) === null);
  if (open !== undefined) return { kind: 'try', level: open.level };
  const { sustained, breakingPoint, unclear } = findBracket(tried, bounds.repeats);
  if (unclear) return { kind: 'end', because: 'unclear' };
  const level = chooseLevelWithin(bounds, sustained, breakingPoint);
  if (typeof level !== 'number') return { kind: 'end', because: level };
  if (tried.length >= bounds.maxLevels) return { kind: 'end', because: 'mostLevels' };
  return { kind: 'try', level };
}

/** The levels between which the breaking point lies. One is null if no level passed, or if none failed. */
interface Bracket {
  readonly sustained: number | null;
  readonly breakingPoint: number | null;
}

/** Returns the bracket. `unclear`: a level was inconclusive, and further levels would be, too. */
export function findBracket(tried: readonly TriedLevel[], repeats: number): Bracket & { readonly unclear: boolean } {
  const listLevels = (outcome: LevelOutcome): number[] =>
    tried.flatMap((one) => ((decideOutcome(one, repeats) ?? findLastOutcome(one)) === outcome ? [one.level] : []));
  const failedLevels = listLevels('failed');
  const breakingPoint = failedLevels.length === 0 ? null : Math.min(...failedLevels);
  const passedLevels = listLevels('passed').filter((level) => breakingPoint === null || level < breakingPoint);
  return {
    sustained: passedLevels.length === 0 ? null : Math.max(...passedLevels),
    breakingPoint,
    unclear: listLevels('unclear').length > 0,
  };
}

/** Returns the levels at which some runs passed and some failed. */
export function listMixedLevels(tried: readonly TriedLevel[]): number[] {
  return tried.filter(({ outcomes }) => new Set(outcomes).size > 1).map(({ level }) => level);
}

/**
 * Returns the outcome of the majority of the runs once further runs cannot change it; null before that. An inconclusive run decides its
 * level.
 */
export function decideOutcome({ outcomes }: Pick<TriedLevel, 'outcomes'>, repeats: number): LevelOutcome | null {
  if (outcomes.includes('unclear')) return 'unclear';
  const enough = Math.floor(repeats / 2) + 1;
  const passed = outcomes.filter((outcome) => outcome === 'passed').length;
  const failed = outcomes.length - passed;
  if (passed >= enough) return 'passed';
  if (failed >= enough || (outcomes.length >= repeats && failed >= passed)) return 'failed';
  return null;
}

/** Returns the outcome of a level that was cut short, which is that of its last run. */
function findLastOutcome({ outcomes }: TriedLevel): LevelOutcome | null {
  return outcomes.at(-1) ?? null;
}

function chooseLevelWithin(bounds: Bounds, sustained: number | null, breakingPoint: number | null): number | SearchEnd {
  const { from, to, growth, precision, isWhole } = bounds;
  const roundLevel = (level: number): number => (isWhole ? Math.max(1, Math.round(level)) : Number(level.toPrecision(4)));
  if (breakingPoint === null) {
    if (sustained === null) return roundLevel(Math.min(from, to ?? from));
    if (to !== undefined && sustained >= to) return 'reachedTop';
    const next = roundLevel(sustained * growth);
    return Math.min(next > sustained ? next : sustained + 1, to ?? Number.POSITIVE_INFINITY);
  }
  if (sustained === null) {
    const next = roundLevel(breakingPoint / growth);
    return next >= breakingPoint || next < from * MIN_LEVEL_SHARE ? 'neverPassed' : next;
  }
  if (breakingPoint / sustained <= 1 + precision || (isWhole && breakingPoint - sustained <= 1)) return 'found';
  return roundLevel(Math.sqrt(sustained * breakingPoint));
}
