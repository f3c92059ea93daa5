import { isBlock } from '#core/base/json.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Series } from '#core/plan/schema/series.ts';

/** The least that a plan may say. */
const LEAST_TIMEOUT_SECONDS = 1;

/**
 * The plan as it would be if everything went `scale` times faster: durations, pauses and time limits divided, rates multiplied, numbers
 * of people and requests as they are. Load per capacity, numbers in waiting and shares stay the same against a server whose times are
 * divided too. Which fields are times and rates is told by the units in their names.
 */
export function atTimeScale(plan: Plan, scale: number): unknown {
  if (scale === 1) return plan;
  return {
    ...plan,
    load: scaled(plan.load, scale),
    objectives: scaled(plan.objectives, scale),
    journey: plan.journey.map((step) => ({ ...step, ...timesOf(step, scale) })),
    ...(plan.demand === undefined ? {} : { demand: scaled(plan.demand, scale) }),
    connections: scaled(plan.connections, scale),
    timeoutSeconds: Math.max(LEAST_TIMEOUT_SECONDS, divided(plan.timeoutSeconds, scale)),
    ...(plan.drainSeconds === undefined ? {} : { drainSeconds: divided(plan.drainSeconds, scale) }),
    safety: { ...plan.safety, ...(plan.safety.maxSeconds === undefined ? {} : { maxSeconds: divided(plan.safety.maxSeconds, scale) }) },
  };
}

/** The levels of a series at this time scale; its pauses are between runs and stay. */
export function levelsAtTimeScale(levels: Series['levels'], scale: number): Series['levels'] {
  return Object.fromEntries(
    Object.entries(levels).map(([field, values]) => [field, values.map((value) => scaledNumber(field, value, scale))]),
  );
}

const STEP_TIMES: ReadonlySet<string> = new Set(['thinkTime', 'poll', 'background', 'budgetMs']);

/** Of a step its times only: what it sends is the server's own, whatever its fields are called. */
function timesOf(step: object, scale: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(step)
      .filter(([key]) => STEP_TIMES.has(key))
      .map(([key, value]) => [key, key === 'poll' ? scaledPoll(value, scale) : scaledField(key, value, scale)]),
  );
}

/** What an answer must hold is no time. */
function scaledPoll(poll: unknown, scale: number): unknown {
  if (!isBlock(poll)) return poll;
  const { until, ...times } = poll;
  return { until, ...Object.fromEntries(Object.entries(times).map(([key, value]) => [key, scaledField(key, value, scale)])) };
}

function scaled(part: unknown, scale: number): unknown {
  if (Array.isArray(part)) return part.map((item) => scaled(item, scale));
  if (!isBlock(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, scaledField(key, value, scale)]));
}

function scaledField(key: string, value: unknown, scale: number): unknown {
  return typeof value === 'number' ? scaledNumber(key, value, scale) : scaled(value, scale);
}

function scaledNumber(key: string, value: number, scale: number): number {
  if (/PerSecond$|^perSecond$/.test(key)) return tidy(value * scale);
  return /Seconds$|^seconds|Ms$/.test(key) ? divided(value, scale) : value;
}

function divided(value: number, scale: number): number {
  return tidy(value / scale);
}

/** Without the last digits, which are roundings. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
