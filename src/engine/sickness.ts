import type { GeneratorReading } from '#core/result/schema.ts';
import { criteriaOf } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { SickCause, Window } from '#core/measurement/window.ts';

const MAX_THREAD_CPU = 0.9;
/** A thread that waits for a processor for a quarter of the time notices responses late by as much. */
const MAX_THREAD_WAIT = 0.25;
const MAX_EVENT_LOOP_DELAY_MS = 20;
/** Precision of the measurement of the event loop delay. */
const MIN_EVENT_LOOP_DELAY_MS = 5;
/** Share of the time of all processors in a second. */
export const MAX_STEAL = 0.02;
const MIN_SCHEDULE_LAG_MS = 2;
/** Same as the limit of the event loop delay: a larger lag means a busy thread. */
const LAG_WITHOUT_LIMITS_MS = MAX_EVENT_LOOP_DELAY_MS;

/** Returns why a second of the load generator is overloaded; docs/method.md defines the limits. Unknown values are no cause. */
export function sickCauses(reading: Omit<GeneratorReading, 'sick'>, window: Window, plan: Plan): SickCause[] {
  const causes: SickCause[] = [];
  if (isAbove(reading.threadCpu, MAX_THREAD_CPU)) causes.push('threadCpu');
  if (isAbove(reading.threadWait, MAX_THREAD_WAIT)) causes.push('threadWait');
  if (isAbove(reading.eventLoopDelayMs, maxEventLoopDelayMs(plan))) causes.push('eventLoopDelay');
  if (isAbove(reading.steal, MAX_STEAL)) causes.push('steal');
  if (isAbove(reading.scheduleLagMs, maxScheduleLagMs(plan))) causes.push('scheduleLag');
  if (isAbove(reading.stoodStillMs, 0)) causes.push('standstill');
  for (const cause of ['noPort', 'noFile'] as const) {
    if (window.cells.some(({ outcomes }) => (outcomes[cause] ?? 0) > 0)) causes.push(cause);
  }
  return causes;
}

/**
 * A tenth of the tightest limit on a time, because a larger lag could decide a criterion, and at least 2 ms (docs/method.md). Without such a limit: the
 * maximum event loop delay.
 */
function maxScheduleLagMs(plan: Plan): number {
  const maxMs = tightestLimitMs(plan);
  return maxMs === null ? LAG_WITHOUT_LIMITS_MS : Math.max(MIN_SCHEDULE_LAG_MS, maxMs / 10);
}

/** Half of the tightest limit on a time, because a larger delay turns a fast response into a slow one; between 5 and 20 ms. */
function maxEventLoopDelayMs(plan: Plan): number {
  const maxMs = tightestLimitMs(plan) ?? Number.POSITIVE_INFINITY;
  return Math.min(MAX_EVENT_LOOP_DELAY_MS, Math.max(MIN_EVENT_LOOP_DELAY_MS, maxMs / 2));
}

function tightestLimitMs(plan: Plan): number | null {
  const limitsMs = criteriaOf(plan).flatMap((criterion) => {
    if (criterion.kind === 'responseTime') return [criterion.maxMs];
    return criterion.kind === 'apdex' ? [criterion.thresholdMs] : [];
  });
  return limitsMs.length === 0 ? null : Math.min(...limitsMs);
}

function isAbove(value: number | null, limit: number): boolean {
  return value !== null && value > limit;
}
