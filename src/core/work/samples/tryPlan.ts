import { z } from 'zod';
import { flowOf } from '../journey/flow/parts.ts';
import { stepsPerJourney } from '../journey/flow/takings.ts';
import { toursOf } from '../journey/flow/tours.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { sampleSchema } from './schema.ts';

const MOST_SECONDS = 120;
const LONGEST_ANSWER_SECONDS = 30;
/** A stream that sends nothing is as good as one that does: events come when something happens. */
const MOST_LISTENING_SECONDS = 2;

/** What trying a journey once found out. Nothing of it is counted or stored. */
export const tryReportSchema = z.strictObject({
  samples: z.array(sampleSchema),
  /** Every step was taken and every answer was good. */
  isGood: z.boolean(),
  /** Steps that were not reached. */
  notReached: z.array(z.string()),
  /** Why it could not be walked at all. */
  problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
});
export type TryReport = z.infer<typeof tryReportSchema>;

/**
 * The plan with a load of one visitor who walks its journey once, without pauses, to its first target. Where it has choices, one visitor after the
 * other walks until each choice was taken. What is sent beside the journey is sent once at its end.
 */
export function tryPlan(plan: Plan): Plan {
  const { safety, targets } = plan;
  const tried: Plan = {
    ...plan,
    targets: targets.slice(0, 1),
    journey: plan.journey.map(({ thinkTime: _pause, background: _interval, budgetMs: _budget, stream, ...step }) =>
      stream === undefined ? step : { ...step, stream: { ...stream, seconds: MOST_LISTENING_SECONDS, beside: false } },
    ),
    objectives: [],
    safety: { errorWindowSeconds: safety.errorWindowSeconds, maxSeconds: MOST_SECONDS },
    engine: 'native',
    threads: 1,
    timeoutSeconds: Math.min(plan.timeoutSeconds, LONGEST_ANSWER_SECONDS),
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
