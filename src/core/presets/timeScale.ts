import { isBlock } from '#core/base/json.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Series } from '#core/plan/schema/series.ts';

/** Minimum time-out in a plan, in seconds. */
const MIN_TIMEOUT_SECONDS = 1;

/**
 * Returns the plan at `scale` times the speed: durations, pauses and time limits are divided, rates are multiplied, and numbers of users
 * and requests are unchanged. Utilization and queue lengths stay the same if the server's times are divided, too. Fields are recognized by
 * the units in their names.
 */
export function scaleTimesOfPlan(plan: Plan, scale: number): unknown {
  if (scale === 1) return plan;
  return {
    ...plan,
    load: scalePart(plan.load, scale),
    criteria: scalePart(plan.criteria, scale),
    journey: plan.journey.map((step) => ({ ...step, ...scaleTimes(step, scale) })),
    ...(plan.demand === undefined ? {} : { demand: scalePart(plan.demand, scale) }),
    connections: scalePart(plan.connections, scale),
    timeoutSeconds: Math.max(MIN_TIMEOUT_SECONDS, divideTime(plan.timeoutSeconds, scale)),
    ...(plan.drainSeconds === undefined ? {} : { drainSeconds: divideTime(plan.drainSeconds, scale) }),
    safety: { ...plan.safety, ...(plan.safety.maxSeconds === undefined ? {} : { maxSeconds: divideTime(plan.safety.maxSeconds, scale) }) },
  };
}

/** Scales the levels of a series. The pauses between its runs stay unchanged. */
export function levelsAtTimeScale(levels: Series['levels'], scale: number): Series['levels'] {
  return Object.fromEntries(
    Object.entries(levels).map(([field, values]) => [field, values.map((value) => scaleNumber(field, value, scale))]),
  );
}

const STEP_TIME_FIELDS: ReadonlySet<string> = new Set(['thinkTime', 'poll', 'background', 'budgetMs']);

/** Scales only the times of a step, because its content may have fields with any name. */
function scaleTimes(step: object, scale: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(step)
      .filter(([key]) => STEP_TIME_FIELDS.has(key))
      .map(([key, value]) => [key, key === 'poll' ? scalePoll(value, scale) : scaleField(key, value, scale)]),
  );
}

/** Scales the times of a poll. Its condition is not a time. */
function scalePoll(poll: unknown, scale: number): unknown {
  if (!isBlock(poll)) return poll;
  const { until, ...times } = poll;
  return { until, ...Object.fromEntries(Object.entries(times).map(([key, value]) => [key, scaleField(key, value, scale)])) };
}

function scalePart(part: unknown, scale: number): unknown {
  if (Array.isArray(part)) return part.map((item) => scalePart(item, scale));
  if (!isBlock(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, scaleField(key, value, scale)]));
}

function scaleField(key: string, value: unknown, scale: number): unknown {
  return typeof value === 'number' ? scaleNumber(key, value, scale) : scalePart(value, scale);
}

function scaleNumber(key: string, value: number, scale: number): number {
  if (/PerSecond$|^perSecond$/.test(key)) return tidy(value * scale);
  return /Seconds$|^seconds|Ms$/.test(key) ? divideTime(value, scale) : value;
}

function divideTime(value: number, scale: number): number {
  return tidy(value / scale);
}

/** Removes rounding errors in the last digits. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
