import type { Plan } from '#core/plan/schema/plan.ts';
import type { SearchRun } from '../run.ts';
import { type Aftermath, aftermathsOf } from './aftermath.ts';
import { isWhole, longestSeconds, startOf } from './levels.ts';
import type { LevelReading, RecoveryReading } from './reading.ts';
import type { BreakingPointAnswer, BreakingPointSettings } from './schema.ts';
import { type Bracket, bracketOf, decided, mixedLevels, nextLevel, type LevelStep, type SearchEnd, type TriedLevel } from './search.ts';

/** So many runs of a level may be made again. */
const MOST_DISTURBED = 2;
/** So many runs of a level may be made again for longer. */
const MOST_TOO_SHORT = 2;
/** Answers that take at most so much longer than those of a calm level have not waited, so no queue grew. */
const AS_CALM = 1.1;

/** Everything that a search has found out so far. */
export interface SearchFacts {
  readonly plan: Plan;
  readonly settings: BreakingPointSettings;
  readonly levels: readonly LevelReading[];
  /** Runs that say nothing, since this computer did not keep up; their levels are run again while there is time. */
  readonly disturbed: readonly LevelReading[];
  /** Runs that did not tell a queue that grows from chance, and were made again for longer. */
  readonly tooShort: readonly LevelReading[];
  /** Runs that did not tell it either, and on which the answer rests: what was seen counts. */
  readonly byChance: readonly LevelReading[];
  readonly recovery: RecoveryReading | null;
  /** How long the server was not itself after each level that may have left something behind. */
  readonly aftermaths: readonly Aftermath[];
  readonly bracket: Bracket;
  /** Where the breaking point lies with 95 % confidence; null at an end that no level tells. */
  readonly range: BreakingPointAnswer['range'];
  readonly mixed: readonly number[];
  /** What comes next, as long as there is time for it. */
  readonly step: LevelStep;
  /** Why no further level is run; null while one is. */
  readonly end: SearchEnd | null;
}

export function searchFacts(plan: Plan, settings: BreakingPointSettings, runs: readonly SearchRun[]): SearchFacts {
  const all = runs.flatMap(({ reading }) => (reading?.kind === 'level' ? [reading] : []));
  const disturbed = disturbedOf(all, settings.repeats);
  const whole = all.filter((one) => !disturbed.includes(one));
  const doubtful = whole.filter((one) => mayBeChance(one, whole));
  const short = tooShortOf(doubtful, (level) => longestSeconds(plan, level, settings, all));
  const tooShort = short.filter((one) => whole.some((other) => other.level === one.level && tellsMore(other, one)));
  const levels = whole.filter((one) => !tooShort.includes(one));
  const recovery = runs.flatMap(({ reading }) => (reading?.kind === 'recovery' ? [reading] : []))[0] ?? null;
  const tried = triedLevels(levels);
  const { unclear, ...bracket } = bracketOf(tried, settings.repeats);
  // All above one that is too much are, and all below one that is borne: only the two between which the breaking point lies have to be sure.
  const byChance = levels.filter(
    (one) => doubtful.includes(one) && (one.level === bracket.broke || (one.level === bracket.held && bracket.broke !== null)),
  );
  // Whatever came of them, so many runs of a level and no more: a run that is cut off may say less than the one before it.
  const runsAt = (level: number): number => whole.filter((one) => one.level === level).length;
  const isDisturbed = (level: number): boolean => disturbed.filter((one) => one.level === level).length > MOST_DISTURBED;
  const mayGoOn = (one: LevelReading): boolean =>
    short.includes(one) && runsAt(one.level) < settings.repeats + MOST_TOO_SHORT && !isDisturbed(one.level);
  const again = unclear ? undefined : byChance.find(mayGoOn);
  const step: LevelStep = again === undefined ? nextLevel(boundsOf(plan, settings), tried) : { kind: 'try', level: again.level };
  return {
    plan,
    settings,
    levels,
    disturbed,
    tooShort,
    byChance,
    recovery,
    aftermaths: aftermathsOf(runs),
    bracket,
    range: rangeOf(bracket, levels),
    mixed: mixedLevels(tried),
    step,
    end: step.kind === 'end' ? step.because : null,
  };
}

/**
 * Whatever held this computer up may be over a moment later, so a level that did not tell because of that is run again. When it did not more than
 * {@link MOST_DISTURBED} times, that is what there is to say, and none of them is left out; unless the other runs of the level are enough by themselves.
 */
function disturbedOf(readings: readonly LevelReading[], repeats: number): LevelReading[] {
  const did = readings.filter(({ because, sickSeconds }) => because === 'generator' && sickSeconds > 0);
  const isTold = (level: number): boolean => {
    const others = readings.filter((one) => one.level === level && !did.includes(one));
    return decided({ outcomes: others.map(({ outcome }) => outcome) }, repeats) !== null;
  };
  return did.filter(({ level }) => did.filter((one) => one.level === level).length <= MOST_DISTURBED || isTold(level));
}

/** Whether longer watching could say the opposite. Where nobody waited longer than at a smaller level, there is no queue to be seen. */
function mayBeChance({ level, outcome, wantedSeconds, meanMs }: LevelReading, all: readonly LevelReading[]): boolean {
  if (wantedSeconds === null) return false;
  const calm = all.find((one) => one.outcome === 'held' && one.level < level && one.meanMs !== null);
  return outcome !== 'held' || (meanMs ?? Infinity) > AS_CALM * (calm?.meanMs ?? 0);
}

/**
 * Where the breaking point lies with 95 % confidence. What a level at a rate bears follows from by what share of it a queue grew, with that share's own interval: level × (1 − share). Where none surely grew at the
 * lowest level that was not borne, a higher one says up to where. Of other levels what chance did not decide counts.
 */
function rangeOf({ held, broke }: Bracket, levels: readonly LevelReading[]): BreakingPointAnswer['range'] {
  const isPlain = (one: LevelReading): boolean =>
    one.isSure && levels.every((other) => other.level !== one.level || other.outcome === one.outcome);
  // How uneven a server is shows where it is busy: one that bore a level may just not have been held up in that time.
  const busy = Math.max(0, ...levels.flatMap((one) => (one.outcome === 'broke' ? unevenness(one) : [])));
  const lows = levels.flatMap((one) => {
    if (one.outcome !== 'held' || one.level > (held ?? 0)) return [];
    if (one.growthShare === null) return isPlain(one) ? [one.level] : [];
    if (one.level !== held) return [];
    const { low, high } = one.growthShare;
    const share = (low + high) / 2 + Math.max(unevenness(one), busy) / Math.sqrt(Math.max(1, one.seconds));
    return [one.level * (1 - Math.min(1, Math.max(0, share)))];
  });
  const highs = levels.flatMap((one) => {
    if (one.outcome !== 'broke' || one.level < (broke ?? Infinity)) return [];
    if (one.because === 'queue' && one.growthShare !== null) return one.growthShare.low > 0 ? [one.level] : [];
    return isPlain(one) ? [one.level] : [];
  });
  return { low: lows.length === 0 ? null : Math.max(...lows), high: highs.length === 0 ? null : Math.min(...highs) };
}

/** Half of the interval of its share, had it been watched for a second. */
function unevenness({ growthShare, seconds }: LevelReading): number {
  return growthShare === null ? 0 : ((growthShare.high - growthShare.low) / 2) * Math.sqrt(Math.max(1, seconds));
}

/** A longer run of a level, and one that had to be cut off since most failed: to run it again would be to ask what is known. */
function tellsMore(other: LevelReading, short: LevelReading): boolean {
  return other.seconds > short.seconds || other.because === 'safety';
}

/** Those after which a longer one is to be made. */
function tooShortOf(doubtful: readonly LevelReading[], longest: (level: number) => number): LevelReading[] {
  const short = doubtful.filter(({ level, seconds }) => seconds < longest(level));
  return short.filter(({ level }, index) => short.slice(0, index + 1).filter((one) => one.level === level).length <= MOST_TOO_SHORT);
}

/** What the search has to know beside what it has tried. */
function boundsOf(plan: Plan, settings: BreakingPointSettings) {
  return { ...settings, from: startOf(plan, settings), to: settings.to, isWhole: isWhole(plan.load) };
}

function triedLevels(levels: readonly LevelReading[]): TriedLevel[] {
  return [...new Set(levels.map(({ level }) => level))].map((level) => ({
    level,
    outcomes: levels.filter((one) => one.level === level).map(({ outcome }) => outcome),
  }));
}
