import type { GeneratorReading } from '#core/result/schema.ts';
import { objectivesOf } from '#core/plan/objectives.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { SickCause, Window } from '#core/measurement/window.ts';

const MAX_THREAD_CPU = 0.9;
/** A thread that is kept from running for a quarter of the time notices answers late by as much. */
const MAX_THREAD_WAIT = 0.25;
const MAX_EVENT_LOOP_DELAY_MS = 20;
/** Below this the sampler itself is not sure. */
const LEAST_EVENT_LOOP_DELAY_MS = 5;
/** Of the time of all processors of a second. */
export const MAX_STEAL = 0.02;
const LEAST_LAG_MS = 2;
/** The event loop's limit: later than that, the thread did not get round to it. */
const LAG_WITHOUT_LIMITS_MS = MAX_EVENT_LOOP_DELAY_MS;

/** Why a second of the generator is not to be trusted; docs/method.md sets the limits. What is not known is no cause. */
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

/** A tenth of the tightest limit on a time, for then lateness alone could decide an objective, and at least 2 ms (docs/method.md). Without such a limit: as late as the event loop may be. */
function maxScheduleLagMs(plan: Plan): number {
  const limitMs = tightestLimitMs(plan);
  return limitMs === null ? LAG_WITHOUT_LIMITS_MS : Math.max(LEAST_LAG_MS, limitMs / 10);
}

/** Half of the tightest limit on a time turns a good answer into a late one; 20 ms is too much for any. */
function maxEventLoopDelayMs(plan: Plan): number {
  const limitMs = tightestLimitMs(plan) ?? Number.POSITIVE_INFINITY;
  return Math.min(MAX_EVENT_LOOP_DELAY_MS, Math.max(LEAST_EVENT_LOOP_DELAY_MS, limitMs / 2));
}

function tightestLimitMs(plan: Plan): number | null {
  const limitsMs = objectivesOf(plan).flatMap((objective) => {
    if (objective.kind === 'responseTime') return [objective.limitMs];
    return objective.kind === 'apdex' ? [objective.thresholdMs] : [];
  });
  return limitsMs.length === 0 ? null : Math.min(...limitsMs);
}

function isAbove(value: number | null, limit: number): boolean {
  return value !== null && value > limit;
}
