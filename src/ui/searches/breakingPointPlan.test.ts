import { expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { startOf } from '#core/search/breakingPoint/levels.ts';
import { breakingPointPlan, FIRST_LEVEL } from './BreakingPointPage.tsx';

it('breakingPointPlan: returns a plan of one page with criteria, starting at the entered level', () => {
  for (const model of ['arrivals', 'connections'] as const) {
    const from = FIRST_LEVEL[model];
    const plan = planSchema.parse(breakingPointPlan({ url: 'http://127.0.0.1:1/', model, maxMs: 300, from }));
    expect(startOf(plan, { from })).toBe(from);
    expect(plan.criteria).toMatchObject([
      { kind: 'responseTime', percentile: 95, maxMs: 300 },
      { kind: 'errors', maxShare: 0.01 },
    ]);
  }
});

it('breakingPointPlan: returns an invalid plan for half a connection', () => {
  const plan = breakingPointPlan({ url: 'http://127.0.0.1:1/', model: 'connections', maxMs: 300, from: 0.5 });
  expect(planSchema.safeParse(plan).success).toBe(false);
});
