import type { z } from 'zod';
import type { connectionsStageSchema } from '#core/plan/schema/load.ts';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';

/** Returns a valid plan: one page, 10 connections for 60 s. */
export function planWith(changes: Partial<PlanInput> = {}): Plan {
  return planSchema.parse({
    holdfast: 1,
    name: 'A test',
    targets: [{ url: 'http://127.0.0.1:8080/' }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 10, seconds: 60 }] },
    ...changes,
  });
}

export function stages(...list: z.input<typeof connectionsStageSchema>[]): PlanInput['load'] {
  return { model: 'connections', stages: list };
}

type LoadInput<Model> = Extract<PlanInput['load'], { model: Model }>;

/** Returns stages of the model `arrivals`. */
export function arrivals(list: LoadInput<'arrivals'>['stages'], more: Partial<LoadInput<'arrivals'>> = {}): PlanInput['load'] {
  return { model: 'arrivals', ...more, stages: list };
}

/** Returns stages of the model `users`. */
export function users(list: LoadInput<'users'>['stages'], thinkTime?: LoadInput<'users'>['thinkTime']): PlanInput['load'] {
  return { model: 'users', ...(thinkTime === undefined ? {} : { thinkTime }), stages: list };
}
