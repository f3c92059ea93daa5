import type { Load } from '#core/plan/schema/load.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatMs, formatNumber, formatRate } from '#core/base/units.ts';
import { frozenLevels, listReasons, formatNotRecovered, writeSentence } from './sentences.ts';
import type { LevelReading } from './reading.ts';
import type { BreakingPointConclusion, BreakingPointSettings, Gauge, Prediction } from './schema.ts';
import { LEVEL_UNITS } from '#core/work/load/stages.ts';
import { type SearchFacts, searchFacts } from './facts.ts';
import { formatSearchLevel, isOfPeople, planOfLevel, planOfRecovery, requestsPerSecond, secondsOfLevel } from './levels.ts';
import { type SearchRun, type SearchStep, TIME_USED_UP_MESSAGE } from '../run.ts';
import { listAftermaths, MAX_AFTERMATH_SECONDS, needsProbe, planOfProbe, PROBE_SECONDS } from './aftermath.ts';

/** Minimum number of successful responses for a meaningful service time. */
const MIN_RESPONSES = 10;

/**
 * Predicts the limit from m = X · S workers (Little's law): X is the maximum throughput of a failed level, and S is the mean service time
 * at the lightest level. At a rate, a queue grows from ρ = λS/m = 1 on, so λ* = m/S. Users with think time Z send N/(R + Z) requests per
 * second (interactive response time law), so R reaches the limit L at N* = X (L + Z). Without a limit, waiting begins at N* = X (S + Z).
 * Returns null if no level failed.
 */
export function predict(plan: Plan, levels: readonly LevelReading[]): Prediction | null {
  if (isOfPeople(plan)) return null;
  const calm = levels.filter(
    ({ outcome, sent, failed, meanMs }) => outcome === 'passed' && sent - failed >= MIN_RESPONSES && meanMs !== null,
  );
  const lightest = calm.reduce<LevelReading | null>((least, one) => (least === null || one.level < least.level ? one : least), null);
  // The throughput of a frozen server is no limit, because the server is not busy.
  const frozen = new Set<LevelReading>(frozenLevels(levels));
  const full = levels.filter(
    (one) => !frozen.has(one) && (one.because === 'queue' || one.because === 'criterion' || one.because === 'outstanding'),
  );
  const rates = full.flatMap(({ okPerSecond }) => okPerSecond ?? []);
  if (lightest === null || lightest.meanMs === null || rates.length === 0) return null;
  const serviceMs = lightest.meanMs;
  const saturatedPerSecond = Math.max(...rates);
  const workers = (saturatedPerSecond * serviceMs) / 1_000;
  const facts = { serviceMs, workers, saturatedPerSecond };
  const byLittle = `${formatRate(saturatedPerSecond, 'responses')} × ${formatMs(serviceMs)} each = ${formatNumber(workers)} in progress at a time`;
  if (plan.load.model === 'arrivals') {
    const whole = nearestWholeWorkers(workers);
    if (whole === null)
      return { ...facts, level: saturatedPerSecond, text: `${byLittle}; a queue grows from ${formatRate(saturatedPerSecond)} on.` };
    const level = (1_000 * whole) / serviceMs;
    return {
      ...facts,
      level,
      text: `${byLittle}, so ${formatCount(whole)} ${whole === 1 ? 'worker' : 'workers'}: a queue grows from ${formatCount(whole)} / ${formatMs(serviceMs)} = ${formatRate(level)} on.`,
    };
  }
  const pauseMs = meanPauseMs(plan.load);
  const maxMs = timeLimitMs(plan);
  const level = (saturatedPerSecond * ((maxMs ?? serviceMs) + pauseMs)) / 1_000;
  const time = maxMs === null ? formatMs(serviceMs) : `the criterion of ${formatMs(maxMs)}`;
  const pause = pauseMs === 0 ? '' : ` and ${formatMs(pauseMs)} of think time`;
  return {
    ...facts,
    level,
    text: `${byLittle}. ${maxMs === null ? 'Waiting begins' : 'Times reach the criterion'} at ${formatRate(saturatedPerSecond)} × (${time}${pause}) = ${formatNumber(level)}.`,
  };
}

/** Returns the whole number of workers, at most 64, within 10 % or 0.15 of the estimate; null if there is none. */
function nearestWholeWorkers(workers: number): number | null {
  const whole = Math.max(1, Math.round(workers));
  return Math.abs(workers - whole) <= Math.max(0.15, 0.1 * whole) && whole <= 64 ? whole : null;
}

function meanPauseMs(load: Load): number {
  const pause = load.model === 'users' ? load.thinkTime : undefined;
  if (pause === undefined) return 0;
  if (pause.kind === 'fixed') return 1_000 * pause.seconds;
  return pause.kind === 'exponential' ? 1_000 * pause.meanSeconds : 500 * (pause.fromSeconds + pause.toSeconds);
}

/** Returns the lowest response time limit; null if there is none. */
function timeLimitMs(plan: Plan): number | null {
  const limits = listCriteria(plan).flatMap((criterion) => (criterion.kind === 'responseTime' ? [criterion.maxMs] : []));
  return limits.length === 0 ? null : Math.min(...limits);
}

export function conclude(facts: SearchFacts): BreakingPointConclusion {
  const { plan, levels, recovery, bracket, range } = facts;
  const { sustained, breakingPoint } = bracket;
  const prediction = predict(plan, levels);
  const conclusion = {
    kind: 'breakingPoint' as const,
    unit: unitOf(plan),
    sustained,
    breakingPoint,
    isKnown: sustained !== null && facts.end !== 'unclear',
    estimate: sustained === null || breakingPoint === null ? null : Math.sqrt(sustained * breakingPoint),
    range,
    withoutTimeout: findGauge(levels, ({ timeouts }) => timeouts > 0),
    withoutError: findGauge(levels, ({ failed }) => failed > 0),
    prediction,
    recovery,
  };
  return {
    ...conclusion,
    sentence: writeSentence(facts),
    reasons: listReasons(facts, conclusion, (level) => formatSearchLevel(plan, level)),
  };
}

function unitOf(plan: Plan): (typeof LEVEL_UNITS)[number] {
  if (isOfPeople(plan)) return 'users';
  return plan.load.model === 'arrivals' ? 'arrivalsPerSecond' : plan.load.model;
}

/** Finds the lowest level that shows a symptom, and the highest level below it that does not. */
function findGauge(levels: readonly LevelReading[], isSeen: (reading: LevelReading) => boolean): Gauge {
  const seen = levels.filter(isSeen).map(({ level }) => level);
  const from = seen.length === 0 ? null : Math.min(...seen);
  const without = levels.filter((one) => one.sent > 0 && !isSeen(one) && (from === null || one.level < from)).map(({ level }) => level);
  return { upTo: without.length === 0 ? null : Math.max(...without), from };
}

/** Returns the next run of a search, which follows from the previous ones, or the reason why the search ends. */
export function nextSearchRun(plan: Plan, settings: BreakingPointSettings, runs: readonly SearchRun[]): SearchStep {
  const { levels, tooShort, bracket, recovery, step } = searchFacts(plan, settings, runs);
  const before = [...levels, ...tooShort];
  // If a run could not be made, it would fail again.
  const failed = runs.find(({ purpose, reading }) => purpose === 'level' && reading === null);
  if (failed !== undefined) return { kind: 'end', because: failed.reason };
  const limit = bracket.sustained !== null && bracket.breakingPoint !== null ? Math.sqrt(bracket.sustained * bracket.breakingPoint) : null;
  const isLookedAt = recovery !== null || runs.some(({ purpose }) => purpose === 'recovery');
  const recoveryPlan =
    step.kind === 'try' || limit === null || !settings.recovery || isLookedAt || step.because === 'unclear'
      ? null
      : planOfRecovery(plan, limit, settings);
  const isDone = step.kind === 'end' && recoveryPlan === null;
  if (!isDone && !isOfPeople(plan) && needsProbe(runs)) return probe(plan, settings, runs);
  if (step.kind === 'try') {
    const { warmUp, counted } = secondsOfLevel(plan, step.level, settings, before);
    const requests = requestsPerSecond(plan, step.level) * (warmUp + counted);
    const over = endIfOverBudget(settings, runs, { seconds: warmUp + counted, requests });
    if (over !== null) return { kind: 'end', because: over };
    return {
      kind: 'run',
      purpose: 'level',
      name: formatSearchLevel(plan, step.level),
      level: step.level,
      // Inconclusive runs also count as repeats, because each of them is a separate run.
      repeat: runs.filter(({ purpose, level }) => purpose === 'level' && level === step.level).length + 1,
      plan: planOfLevel(plan, step.level, settings, before),
    };
  }
  const seconds = 4 * settings.overloadSeconds + settings.secondsEach;
  const requests = 4 * requestsPerSecond(plan, limit ?? 0) * settings.overloadSeconds;
  if (recoveryPlan === null || endIfOverBudget(settings, runs, { seconds, requests }) !== null) return { kind: 'end', because: null };
  return { kind: 'run', purpose: 'recovery', name: 'recovery', level: limit, repeat: 1, plan: recoveryPlan };
}

/** Returns a probe, until the server has recovered. Ends the search if it does not recover. */
function probe(plan: Plan, settings: BreakingPointSettings, runs: readonly SearchRun[]): SearchStep {
  const open = listAftermaths(runs).at(-1);
  if (open !== undefined && open.seconds >= MAX_AFTERMATH_SECONDS)
    return { kind: 'end', because: formatNotRecovered(open, formatSearchLevel(plan, open.level)) };
  const over = endIfOverBudget(settings, runs, { seconds: PROBE_SECONDS, requests: 0 });
  if (over !== null) return { kind: 'end', because: over };
  const repeat = runs.filter(({ purpose }) => purpose === 'probe').length + 1;
  return { kind: 'run', purpose: 'probe', name: 'one user', level: null, repeat, plan: planOfProbe(plan) };
}

/** Returns the reason why a further run would exceed the budget; null if it would not. */
function endIfOverBudget(
  { maxSeconds, maxRequests }: BreakingPointSettings,
  runs: readonly SearchRun[],
  next: { readonly seconds: number; readonly requests: number },
): string | null {
  const seconds = runs.reduce((sum, { spentSeconds }) => sum + spentSeconds, 0);
  const requests = runs.reduce((sum, run) => sum + run.requests, 0);
  if (maxSeconds !== undefined && seconds + next.seconds > maxSeconds) return TIME_USED_UP_MESSAGE;
  return maxRequests !== undefined && requests + next.requests > maxRequests ? 'The maximum number of requests was reached.' : null;
}
