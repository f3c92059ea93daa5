import type { Objective, Plan } from './schema/plan.ts';

/** Share of the answers of a step that have to be within its time budget, in percent. */
const BUDGET_PERCENTILE = 95;

/** Everything that a plan is judged by: its objectives, and the time budgets of its steps, each a limit on 95 % of the step's requests. */
export function objectivesOf({ objectives, journey }: Pick<Plan, 'objectives' | 'journey'>): Objective[] {
  const budgets = journey.flatMap(({ name, budgetMs }): Objective[] =>
    budgetMs === undefined ? [] : [{ kind: 'responseTime', step: name, percentile: BUDGET_PERCENTILE, limitMs: budgetMs }],
  );
  return [...objectives, ...budgets];
}
