import { formatMs, formatNumber, formatPercent, formatPortion, formatShare } from '#core/base/units.ts';
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

/** An objective in plain words: "19 of 20 answers of “description” within 1 s". */
export function describeObjective(objective: Objective): string {
  const of = objective.step === undefined ? '' : ` of “${objective.step}”`;
  const during = objective.stage === undefined ? '' : ` during “${objective.stage}”`;
  switch (objective.kind) {
    case 'responseTime':
      return `${formatPortion(objective.percentile)} ${objective.of === 'pages' ? 'whole pages' : 'answers'}${of} within ${formatMs(objective.limitMs)}${during}`;
    case 'errors':
      if (objective.maxShare === 0) return `no ${objective.of === 'pages' ? 'incomplete page' : 'failed request'}${of}${during}`;
      return `at most ${objective.maxShare < 0.1 ? formatShare(objective.maxShare) : formatPercent(objective.maxShare)} ${objective.of === 'pages' ? 'pages' : 'requests'}${of} ${objective.of === 'pages' ? 'incomplete' : 'failing'}${during}`;
    case 'throughput':
      return `at least ${formatNumber(objective.minPerSecond)} good answers${of} a second${during}`;
    case 'apdex':
      return `Apdex of at least ${objective.min.toFixed(2)}${of} for ${objective.of === 'pages' ? 'whole pages' : 'answers'} within ${formatMs(objective.thresholdMs)}${during}`;
    default:
      return objective satisfies never;
  }
}
