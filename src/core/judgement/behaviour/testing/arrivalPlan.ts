import { parsePlan } from '#core/review/check.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Returns a plan of arrivals with the given stages. */
export function buildPlan(stages: readonly object[]): Plan {
  const source = JSON.stringify({
    holdfast: 1,
    name: 'Test',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'page' }],
    load: { model: 'arrivals', stages },
  });
  const { plan, issues } = parsePlan(source);
  if (!plan) throw new Error(JSON.stringify(issues));
  return plan;
}
