import type { Plan } from '../plan/schema.ts';
import type { StudyRun } from '../study/run.ts';
import { isWhole, startOf } from './levels.ts';
import type { LevelReading, RecoveryReading } from './reading.ts';
import { bracketOf, mixedLevels, nextLevel, type Bracket, type SearchStep, type TriedLevel } from './search.ts';
import type { BreakingPointSettings } from './settings.ts';

/** So many runs of a level may be made again. */
const MOST_DISTURBED = 2;

/** Everything that a search has found out so far. */
export interface SearchFacts {
  readonly plan: Plan;
  readonly settings: BreakingPointSettings;
  readonly levels: readonly LevelReading[];
  /** Runs that say nothing, since this computer did not keep up, and were made again. */
  readonly disturbed: readonly LevelReading[];
  readonly recovery: RecoveryReading | null;
  readonly bracket: Bracket;
  readonly mixed: readonly number[];
  /** Why no further level is run; null while one is. */
  readonly end: Extract<SearchStep, { kind: 'end' }> | null;
}

export function searchFacts(plan: Plan, settings: BreakingPointSettings, runs: readonly StudyRun[]): SearchFacts {
  const all = runs.flatMap(({ reading }) => (reading?.kind === 'level' ? [reading] : []));
  const disturbed = disturbedOf(all);
  const levels = all.filter((one) => !disturbed.includes(one));
  const recovery = runs.flatMap(({ reading }) => (reading?.kind === 'recovery' ? [reading] : []))[0] ?? null;
  const tried = triedLevels(levels);
  const step = nextLevel(boundsOf(plan, settings), tried);
  return {
    plan,
    settings,
    levels,
    disturbed,
    recovery,
    bracket: bracketOf(tried, settings.repeats),
    mixed: mixedLevels(tried),
    end: step.kind === 'end' ? step : null,
  };
}

/**
 * Whatever held this computer up may be over a moment later, so a level that did not tell because of that is run again. When it never tells, that is what there is to say: then
 * none of them is left out.
 */
function disturbedOf(readings: readonly LevelReading[]): LevelReading[] {
  const did = readings.filter(({ outcome, because, sickSeconds }) => outcome === 'unclear' && because === 'generator' && sickSeconds > 0);
  return did.filter(({ level }) => did.filter((one) => one.level === level).length <= MOST_DISTURBED);
}

/** What the search has to know beside what it has tried. */
export function boundsOf(plan: Plan, settings: BreakingPointSettings) {
  return { ...settings, from: startOf(plan, settings), to: settings.to, isWhole: isWhole(plan.load) };
}

export function triedLevels(levels: readonly LevelReading[]): TriedLevel[] {
  return [...new Set(levels.map(({ level }) => level))].map((level) => ({
    level,
    outcomes: levels.filter((one) => one.level === level).map(({ outcome }) => outcome),
  }));
}
