import { formatMs, formatNumber, formatPortion, formatShare } from '#core/base/units.ts';
import type { Objective, Plan } from './schema/plan.ts';

/** Share of the responses to a step that have to be within its time budget, in percent. */
const BUDGET_PERCENTILE = 95;

/** Everything that a plan is judged by: its objectives, and the time budgets of its steps, each a criterion for 95 % of the step's requests. */
export function objectivesOf({ objectives, journey }: Pick<Plan, 'objectives' | 'journey'>): Objective[] {
  const budgets = journey.flatMap(({ name, budgetMs }): Objective[] =>
    budgetMs === undefined ? [] : [{ kind: 'responseTime', step: name, percentile: BUDGET_PERCENTILE, limitMs: budgetMs }],
  );
  return [...objectives, ...budgets];
}

/** Criteria of one step, or of every request (null), in words that leave out what they are about. */
interface LimitsOfStep {
  readonly step: string | null;
  readonly limits: readonly string[];
}

/** What a plan is judged by, for a reader of many criteria: stage by stage (null: the whole test), step by step, in the order of the plan. */
export function objectivesByStage(
  plan: Pick<Plan, 'objectives' | 'journey'>,
): { readonly stage: string | null; readonly steps: readonly LimitsOfStep[] }[] {
  return [...Map.groupBy(objectivesOf(plan), ({ stage }) => stage ?? null)].map(([stage, ofStage]) => ({
    stage,
    steps: [...Map.groupBy(ofStage, ({ step }) => step ?? null)].map(([step, ofStep]) => ({
      step,
      limits: ofStep.map(({ step: _step, stage: _stage, ...limit }) => describeObjective(limit)),
    })),
  }));
}

/** An objective in plain words: "95 % of responses to “description” within 1 s". */
export function describeObjective(objective: Objective): string {
  const [of, to] = objective.step === undefined ? ['', ''] : [` of “${objective.step}”`, ` to “${objective.step}”`];
  const during = objective.stage === undefined ? '' : ` during “${objective.stage}”`;
  switch (objective.kind) {
    case 'responseTime':
      return `${formatPortion(objective.percentile)} of ${objective.of === 'pages' ? `whole pages${of}` : `responses${to}`} within ${formatMs(objective.limitMs)}${during}`;
    case 'errors':
      if (objective.maxShare === 0) return `no ${objective.of === 'pages' ? 'incomplete page' : 'failed request'}${of}${during}`;
      return `at most ${formatShare(objective.maxShare)} of ${objective.of === 'pages' ? 'pages' : 'requests'}${of} ${objective.of === 'pages' ? 'incomplete' : 'failing'}${during}`;
    case 'throughput':
      return `at least ${formatNumber(objective.minPerSecond)} successful responses${to} a second${during}`;
    case 'apdex':
      return `Apdex of at least ${objective.min.toFixed(2)}${of} for ${objective.of === 'pages' ? 'whole pages' : 'responses'} within ${formatMs(objective.thresholdMs)}${during}`;
    default:
      return objective satisfies never;
  }
}
