import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';

/** Returns a valid plan. `changes` replace whole fields. */
export function planFor(url: string, changes: Partial<PlanInput> = {}): Plan {
  return planSchema.parse({
    holdfast: 1,
    name: 'A test',
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ name: 'load', connections: 2, requests: 50 }] },
    timeoutSeconds: 5,
    ...changes,
  });
}
