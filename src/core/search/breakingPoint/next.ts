import type { Plan } from '#core/plan/schema/plan.ts';
import type { SearchRun } from '../run.ts';
import { type SearchStep, TIME_USED_UP } from '../step.ts';
import { aftermathsOf, MAX_AFTERMATH_SECONDS, needsProbe, planOfProbe, PROBE_SECONDS } from './aftermath.ts';
import { searchFacts } from './facts.ts';
import { levelWords, planOfLevel, planOfRecovery, requestsPerSecond, secondsOfLevel } from './levels.ts';
import type { BreakingPointSettings } from './schema.ts';
import { notItselfWords } from './words.ts';

/** Returns the next run of a search from the previous ones, or why the search ends. */
export function nextSearchRun(plan: Plan, settings: BreakingPointSettings, runs: readonly SearchRun[]): SearchStep {
  const { levels, tooShort, bracket, recovery, step } = searchFacts(plan, settings, runs);
  const before = [...levels, ...tooShort];
  // A run that could not be made would fail again.
  const failed = runs.find(({ purpose, reading }) => purpose === 'level' && reading === null);
  if (failed !== undefined) return { kind: 'end', because: failed.reason };
  const limit = bracket.sustained !== null && bracket.breakingPoint !== null ? Math.sqrt(bracket.sustained * bracket.breakingPoint) : null;
  const isLookedAt = recovery !== null || runs.some(({ purpose }) => purpose === 'recovery');
  const recoveryPlan =
    step.kind === 'try' || limit === null || !settings.recovery || isLookedAt || step.because === 'unclear'
      ? null
      : planOfRecovery(plan, limit, settings);
  const isDone = step.kind === 'end' && recoveryPlan === null;
  if (!isDone && needsProbe(runs)) return probe(plan, settings, runs);
  if (step.kind === 'try') {
    const { warmUp, counted } = secondsOfLevel(plan, step.level, settings, before);
    const requests = requestsPerSecond(plan, step.level) * (warmUp + counted);
    const over = overBudget(settings, runs, { seconds: warmUp + counted, requests });
    if (over !== null) return { kind: 'end', because: over };
    return {
      kind: 'run',
      purpose: 'level',
      name: levelWords(plan, step.level),
      level: step.level,
      // Inconclusive runs count as well, because each is a separate run.
      repeat: runs.filter(({ purpose, level }) => purpose === 'level' && level === step.level).length + 1,
      plan: planOfLevel(plan, step.level, settings, before),
    };
  }
  const seconds = 4 * settings.overloadSeconds + settings.secondsEach;
  const requests = 4 * requestsPerSecond(plan, limit ?? 0) * settings.overloadSeconds;
  if (recoveryPlan === null || overBudget(settings, runs, { seconds, requests }) !== null) return { kind: 'end', because: null };
  return { kind: 'run', purpose: 'recovery', name: 'recovery', level: limit, repeat: 1, plan: recoveryPlan };
}

/** Returns a probe, until the server has recovered. Ends the search if it does not recover. */
function probe(plan: Plan, settings: BreakingPointSettings, runs: readonly SearchRun[]): SearchStep {
  const open = aftermathsOf(runs).at(-1);
  if (open !== undefined && open.seconds >= MAX_AFTERMATH_SECONDS)
    return { kind: 'end', because: notItselfWords(open, levelWords(plan, open.level)) };
  const over = overBudget(settings, runs, { seconds: PROBE_SECONDS, requests: 0 });
  if (over !== null) return { kind: 'end', because: over };
  const repeat = runs.filter(({ purpose }) => purpose === 'probe').length + 1;
  return { kind: 'run', purpose: 'probe', name: 'one user', level: null, repeat, plan: planOfProbe(plan) };
}

/** Returns why a further run would exceed the budget; null if it would not. */
function overBudget(
  { maxSeconds, maxRequests }: BreakingPointSettings,
  runs: readonly SearchRun[],
  next: { readonly seconds: number; readonly requests: number },
): string | null {
  const seconds = runs.reduce((sum, { spentSeconds }) => sum + spentSeconds, 0);
  const requests = runs.reduce((sum, run) => sum + run.requests, 0);
  if (maxSeconds !== undefined && seconds + next.seconds > maxSeconds) return TIME_USED_UP;
  return maxRequests !== undefined && requests + next.requests > maxRequests ? 'The maximum number of requests was reached.' : null;
}
