import type { Plan } from '../plan/schema.ts';
import type { StudyRun } from '../study/run.ts';
import { isWhole, startOf } from './levels.ts';
import type { LevelReading, RecoveryReading } from './reading.ts';
import { bracketOf, mixedLevels, nextLevel, type Bracket, type SearchStep, type TriedLevel } from './search.ts';
import type { BreakingPointSettings } from './settings.ts';

/** Everything that a search has found out so far. */
export interface SearchFacts {
  readonly plan: Plan;
  readonly settings: BreakingPointSettings;
  readonly levels: readonly LevelReading[];
  readonly recovery: RecoveryReading | null;
  readonly bracket: Bracket;
  readonly mixed: readonly number[];
  /** Why no further level is run; null while one is. */
  readonly end: Extract<SearchStep, { kind: 'end' }> | null;
}

export function searchFacts(plan: Plan, settings: BreakingPointSettings, runs: readonly StudyRun[]): SearchFacts {
  const levels = runs.flatMap(({ reading }) => (reading?.kind === 'level' ? [reading] : []));
  const recovery = runs.flatMap(({ reading }) => (reading?.kind === 'recovery' ? [reading] : []))[0] ?? null;
  const tried = triedLevels(levels);
  const step = nextLevel(boundsOf(plan, settings), tried);
  return {
    plan,
    settings,
    levels,
    recovery,
    bracket: bracketOf(tried, settings.repeats),
    mixed: mixedLevels(tried),
    end: step.kind === 'end' ? step : null,
  };
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
