import type { RunResult } from '#core/result/schema.ts';
import { readProbe } from './breakingPoint/aftermath.ts';
import { conclude, nextSearchRun } from './breakingPoint/conclusion.ts';
import { searchFacts } from './breakingPoint/facts.ts';
import { readLevel, readRecovery } from './breakingPoint/readLevel.ts';
import { describeCharacter } from './characterize/conclusion.ts';
import { findIdleReading, chooseNextRun, usersReadings } from './characterize/table.ts';
import { readUsers } from './characterize/reading.ts';
import { SEARCH_SCHEMA, type SearchDocument, type SearchHead, type SearchResult } from './result.ts';
import type { SearchReading, SearchRun, SearchStep } from './run.ts';
import { expandSeries } from '#core/series/cells.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Series } from '#core/plan/schema/series.ts';

/** Returns the next step of a search. It is deterministic: the same records give the same step. */
export function chooseNextStep(document: SearchDocument, runs: readonly SearchRun[]): SearchStep {
  return document.kind === 'breakingPoint'
    ? nextSearchRun(document.plan, document.settings, runs)
    : chooseNextRun(document.plan, document.settings, runs);
}

/** Reads the result of a run. */
export function findReading(
  document: SearchDocument,
  { purpose, level }: Pick<SearchRun, 'purpose' | 'level'>,
  result: RunResult,
): SearchReading | null {
  if (purpose === 'probe') return readProbe(result);
  if (level === null) return null;
  if (purpose === 'users') return readUsers(result, level);
  if (document.kind !== 'breakingPoint') return null;
  return purpose === 'recovery' ? readRecovery(result, level, document.settings.overloadSeconds) : readLevel(result, level);
}

/** Returns the result of a search as a pure function of its stored data. */
export function buildSearchResult(search: SearchHead, document: SearchDocument, runs: readonly SearchRun[]): SearchResult {
  const conclusion =
    document.kind === 'breakingPoint'
      ? conclude(searchFacts(document.plan, document.settings, runs))
      : describeCharacter(usersReadings(runs), findIdleReading(runs));
  return { schema: SEARCH_SCHEMA, search, document, runs: [...runs], conclusion };
}

/** Returns the plan of a search. For a series, it is the plan of the first cell that can run. */
export function planOfSearch(plan: Plan, series: Series | null): { readonly plan: Plan; readonly variant: string | null } {
  if (series === null) return { plan, variant: null };
  const first = expandSeries({ plan, series }).cells.find(({ problem }) => problem === null);
  return first === undefined ? { plan, variant: null } : { plan: first.plan, variant: first.variant };
}
