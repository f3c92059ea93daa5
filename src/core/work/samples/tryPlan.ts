import { z } from 'zod';
import { flowOf } from '../journey/flow/parts.ts';
import { stepsPerJourney } from '../journey/flow/takings.ts';
import { toursOf } from '../journey/flow/tours.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { sampleSchema } from './schema.ts';

const MAX_SECONDS = 120;
const MAX_RESPONSE_SECONDS = 30;
/** A stream without events is valid, because events depend on activity. */
const MAX_LISTENING_SECONDS = 2;

/** Result of a trial, which is neither counted nor stored. */
export const tryReportSchema = z.strictObject({
  samples: z.array(sampleSchema),
  /** Whether every step ran and every response was successful. */
  isGood: z.boolean(),
  notReached: z.array(z.string()),
  /** Why the journey could not run; null if it did. */
  problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
});
export type TryReport = z.infer<typeof tryReportSchema>;

/**
 * Returns the plan with one user who runs the journey once, without pauses, at the first target. With choices, further users run until each choice was taken.
 * Background requests are sent once at the end.
 */
export function tryPlan(plan: Plan): Plan {
  const { safety, targets } = plan;
  const tried: Plan = {
    ...plan,
    targets: targets.slice(0, 1),
    journey: plan.journey.map(({ thinkTime: _pause, background: _interval, budgetMs: _budget, stream, ...step }) =>
      stream === undefined ? step : { ...step, stream: { ...stream, seconds: MAX_LISTENING_SECONDS, beside: false } },
    ),
    criteria: [],
    safety: { errorWindowSeconds: safety.errorWindowSeconds, maxSeconds: MAX_SECONDS },
    engine: 'native',
    threads: 1,
    timeoutSeconds: Math.min(plan.timeoutSeconds, MAX_RESPONSE_SECONDS),
  };
  const beside = plan.journey.flatMap(({ name, background }) => (background === undefined ? [] : [name]));
  if (plan.flow === undefined && beside.length === 0) {
    const load: Plan['load'] = { model: 'connections', stages: [{ connections: 1, requests: 1, counted: true }] };
    const requests = stepsPerJourney({ ...tried, load }, 0);
    return { ...tried, load: { model: 'connections', stages: [{ connections: 1, requests, counted: true }] } };
  }
  const { flow, stages } = toursOf(flowOf(plan));
  return {
    ...tried,
    flow: [...flow, ...beside],
    load: { model: 'connections', stages: stages.map((name) => ({ name, connections: 1, requests: 1, counted: true })) },
  };
}
