import { formatMs, formatNumber, formatPortion, formatSeconds, formatShare } from '#core/base/units.ts';
import type { Objective, Plan, Step } from './schema/plan.ts';

/** Share of the responses to a step that have to be within its time budget, in percent. */
const BUDGET_PERCENTILE = 95;

/** Everything that a plan is judged by: its objectives, and the time budgets of its steps, each a criterion for 95 % of the step's requests. */
export function objectivesOf({ objectives, journey }: Pick<Plan, 'objectives' | 'journey'>): Objective[] {
  const budgets = journey.flatMap(({ name, budgetMs }): Objective[] =>
    budgetMs === undefined ? [] : [{ kind: 'responseTime', step: name, percentile: BUDGET_PERCENTILE, limitMs: budgetMs }],
  );
  return [...objectives, ...budgets];
}

/** What a plan is judged by where nobody has set criteria: p95 within 1 s, at most 1 % errors. */
export const USUAL_OBJECTIVES = [
  { kind: 'responseTime', percentile: 95, limitMs: 1_000 },
  { kind: 'errors', maxShare: 0.01 },
] as const satisfies readonly Objective[];

/** The plan with the usual criteria if it has none. */
export function withUsualObjectives(plan: Plan): Plan {
  return objectivesOf(plan).length === 0 ? { ...plan, objectives: [...USUAL_OBJECTIVES] } : plan;
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
      limits: ofStep.map(({ step: _step, stage: _stage, ...limit }) => describeObjective(limit, plan.journey)),
    })),
  }));
}

/** What objectives count, and what becomes of it. */
export const COUNTED = {
  requests: { many: 'requests', timed: 'responses', failing: 'failing', failed: 'failed', oneFailed: 'failed request' },
  pages: { many: 'pages', timed: 'whole pages', failing: 'incomplete', failed: 'were incomplete', oneFailed: 'incomplete page' },
  events: { many: 'events', timed: 'events', failing: 'missed', failed: 'were missed', oneFailed: 'missed event' },
  visits: { many: 'visits', timed: 'visits', failing: 'failing', failed: 'failed', oneFailed: 'failed visit' },
  results: { many: 'results', timed: 'results', failing: 'missing', failed: 'were missing', oneFailed: 'missing result' },
  streams: { many: 'streams', timed: 'streams', failing: 'cut', failed: 'were cut', oneFailed: 'cut stream' },
} as const satisfies Record<string, Record<string, string>>;

/** What an objective counts. A step that polls is judged by its results, not by its single requests. */
export function countedThings(objective: Objective, journey: readonly Pick<Step, 'name' | 'poll'>[]): keyof typeof COUNTED {
  if ('of' in objective && objective.of !== undefined) return objective.of;
  return journey.some(({ name, poll }) => name === objective.step && poll !== undefined) ? 'results' : 'requests';
}

/** What ends a run early because of slow responses, as a sentence. */
export function stopAtTimeSentence({ percentile, limitMs, seconds }: NonNullable<Plan['safety']['stopAtResponseTime']>): string {
  return `Stops when p${formatNumber(percentile)} of the last ${formatSeconds(seconds)} is over ${formatMs(limitMs)}.`;
}

/** An objective in plain words: "95 % of responses to “description” within 1 s". `journey`: left out for tools that judge single requests. */
export function describeObjective(objective: Objective, journey: readonly Pick<Step, 'name' | 'poll'>[] = []): string {
  const counted = COUNTED[countedThings(objective, journey)];
  const [of, to] = objective.step === undefined ? ['', ''] : [` of “${objective.step}”`, ` to “${objective.step}”`];
  const during = objective.stage === undefined ? '' : ` during “${objective.stage}”`;
  switch (objective.kind) {
    case 'responseTime':
      if (objective.of === 'visits')
        return `${formatPortion(objective.percentile)} of visitors see ${objective.step === undefined ? 'the page' : `“${objective.step}”`} within ${formatMs(objective.limitMs)}${during}`;
      return `${formatPortion(objective.percentile)} of ${counted.timed}${counted === COUNTED.requests ? to : of} within ${formatMs(objective.limitMs)}${during}`;
    case 'errors': {
      const { many, failing, oneFailed } = counted;
      if (objective.maxShare === 0) return `no ${oneFailed}${of}${during}`;
      return `at most ${formatShare(objective.maxShare)} of ${many}${of} ${failing}${during}`;
    }
    case 'throughput':
      return `at least ${formatNumber(objective.minPerSecond)} successful responses${to} a second${during}`;
    case 'apdex':
      return `Apdex of at least ${objective.min.toFixed(2)}${of} for ${counted.timed} within ${formatMs(objective.thresholdMs)}${during}`;
    default:
      return objective satisfies never;
  }
}
