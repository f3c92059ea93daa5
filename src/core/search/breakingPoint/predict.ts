import type { Load } from '#core/plan/schema/load.ts';
import { criteriaOf } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatMs, formatNumber, formatRate } from '#core/base/units.ts';
import { frozenLevels } from './levelFreeze.ts';
import type { LevelReading } from './reading.ts';
import type { Prediction } from './schema.ts';

/** Fewest successful responses for a service time. */
const MIN_RESPONSES = 10;

/**
 * Predicts the limit from m = X · S workers (Little's law): X is the maximum throughput of a failed level, S the response time at the lightest level. At a
 * rate, a queue grows from ρ = λS/m = 1 on, so λ* = m/S. Users with think time Z send N/(R + Z) requests per second (interactive response time law), so R
 * reaches the limit L at N* = X (L + Z); without a limit, waiting begins at N* = X (S + Z). null if no level failed.
 */
export function predict(plan: Plan, levels: readonly LevelReading[]): Prediction | null {
  const calm = levels.filter(
    ({ outcome, sent, failed, meanMs }) => outcome === 'passed' && sent - failed >= MIN_RESPONSES && meanMs !== null,
  );
  const lightest = calm.reduce<LevelReading | null>((least, one) => (least === null || one.level < least.level ? one : least), null);
  // A frozen server is not busy, so its throughput is no limit.
  const frozen = new Set<LevelReading>(frozenLevels(levels));
  const full = levels.filter(
    (one) => !frozen.has(one) && (one.because === 'queue' || one.because === 'criterion' || one.because === 'owed'),
  );
  const rates = full.flatMap(({ okPerSecond }) => okPerSecond ?? []);
  if (lightest === null || lightest.meanMs === null || rates.length === 0) return null;
  const serviceMs = lightest.meanMs;
  const saturatedPerSecond = Math.max(...rates);
  const workers = (saturatedPerSecond * serviceMs) / 1_000;
  const facts = { serviceMs, workers, saturatedPerSecond };
  const byLittle = `${formatRate(saturatedPerSecond, 'responses')} × ${formatMs(serviceMs)} each = ${formatNumber(workers)} in progress at a time`;
  if (plan.load.model === 'arrivals') {
    const whole = nearestInteger(workers);
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

/** Returns the integer within 10 % of the estimate; null if there is none. */
function nearestInteger(workers: number): number | null {
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
  const limits = criteriaOf(plan).flatMap((criterion) => (criterion.kind === 'responseTime' ? [criterion.maxMs] : []));
  return limits.length === 0 ? null : Math.min(...limits);
}
