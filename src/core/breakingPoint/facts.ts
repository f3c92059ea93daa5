import type { Plan } from '../plan/schema.ts';
import type { StudyRun } from '../study/run.ts';
import { aftermathsOf, type Aftermath } from './aftermath.ts';
import { isWhole, longestSeconds, startOf } from './levels.ts';
import type { LevelReading, RecoveryReading } from './reading.ts';
import { bracketOf, decided, mixedLevels, nextLevel, type Bracket, type SearchStep, type TriedLevel } from './search.ts';
import type { BreakingPointSettings } from './settings.ts';

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
  readonly mixed: readonly number[];
  /** What comes next, as long as there is time for it. */
  readonly step: SearchStep;
  /** Why no further level is run; null while one is. */
  readonly end: Extract<SearchStep, { kind: 'end' }> | null;
}

export function searchFacts(plan: Plan, settings: BreakingPointSettings, runs: readonly StudyRun[]): SearchFacts {
  const all = runs.flatMap(({ reading }) => (reading?.kind === 'level' ? [reading] : []));
  const disturbed = disturbedOf(all, settings.repeats);
  const whole = all.filter((one) => !disturbed.includes(one));
  const doubtful = whole.filter((one, index) => mayBeChance(one, whole.slice(0, index)));
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
  const step: SearchStep = again === undefined ? nextLevel(boundsOf(plan, settings), tried) : { kind: 'try', level: again.level };
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
    mixed: mixedLevels(tried),
    step,
    end: step.kind === 'end' ? step : null,
  };
}

/**
 * Whatever held this computer up may be over a moment later, so a level that did not tell because of that is run again. When it did not more than
 * {@link MOST_DISTURBED} times, that is what there is to say, and none of them is left out; unless the other runs of the level are enough by themselves.
 */
function disturbedOf(readings: readonly LevelReading[], repeats: number): LevelReading[] {
  const did = readings.filter(({ outcome, because, sickSeconds }) => outcome === 'unclear' && because === 'generator' && sickSeconds > 0);
  const isTold = (level: number): boolean => {
    const others = readings.filter((one) => one.level === level && !did.includes(one));
    return others.length > 0 && decided({ outcomes: others.map(({ outcome }) => outcome) }, repeats) !== null;
  };
  return did.filter(({ level }) => did.filter((one) => one.level === level).length <= MOST_DISTURBED || isTold(level));
}

/** Whether longer watching could say the opposite. Where nobody waited longer than at a smaller level, there is no queue to be seen. */
function mayBeChance({ level, outcome, wantedSeconds, meanMs }: LevelReading, before: readonly LevelReading[]): boolean {
  if (wantedSeconds === null) return false;
  const calm = before.find((one) => one.outcome === 'held' && one.level < level && one.meanMs !== null);
  return !(outcome === 'held' && meanMs !== null && calm?.meanMs != null && meanMs <= AS_CALM * calm.meanMs);
}

/** A longer run of a level, and one that had to be cut off since most failed: to run it again would be to ask what is known. */
function tellsMore(other: LevelReading, short: LevelReading): boolean {
  return other.seconds > short.seconds || (other !== short && other.because === 'safety');
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
