import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';

/** Returns a plan for a search. The search replaces the plan's load. */
export function planForSearch(name: string, url: string, load?: PlanInput['load']): Plan {
  return planSchema.parse({
    holdfast: 1,
    name,
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load: load ?? { model: 'users', stages: [{ users: 1, seconds: 1 }] },
  });
}

/** Returns the seconds since a time of `performance.now()`. */
export function secondsSince(startedMs: number): number {
  return (performance.now() - startedMs) / 1_000;
}
