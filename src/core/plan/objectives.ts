import { formatMs, formatNumber, formatPortion, formatSeconds, formatShare } from '#core/base/units.ts';
import type { Objective, Plan, Step } from './schema/plan.ts';

/** Percentage of responses to a step that must be within its time budget. */
const BUDGET_PERCENTILE = 95;

/** Returns all criteria of a plan: its objectives, and the time budgets of its steps, each for 95 % of the step's requests. */
export function objectivesOf({ objectives, journey }: Pick<Plan, 'objectives' | 'journey'>): Objective[] {
  const budgets = journey.flatMap(({ name, budgetMs }): Objective[] =>
    budgetMs === undefined ? [] : [{ kind: 'responseTime', step: name, percentile: BUDGET_PERCENTILE, limitMs: budgetMs }],
  );
  return [...objectives, ...budgets];
}

/** Default criteria: p95 within 1 s, at most 1 % errors. */
export const USUAL_OBJECTIVES = [
  { kind: 'responseTime', percentile: 95, limitMs: 1_000 },
  { kind: 'errors', maxShare: 0.01 },
] as const satisfies readonly Objective[];

/** Adds the default criteria to a plan without any. */
export function withUsualObjectives(plan: Plan): Plan {
  return objectivesOf(plan).length === 0 ? { ...plan, objectives: [...USUAL_OBJECTIVES] } : plan;
}

/** Criteria of one step, or of every request (null), in words without the step's name. */
interface LimitsOfStep {
  readonly step: string | null;
  readonly limits: readonly string[];
}

/** Groups the criteria of a plan by stage (null: the whole test) and step, in the order of the plan. */
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

/** Nouns of what criteria count, and of failures. */
export const COUNTED = {
  requests: { many: 'requests', timed: 'responses', failing: 'failing', failed: 'failed', oneFailed: 'failed request' },
  pages: { many: 'pages', timed: 'whole pages', failing: 'incomplete', failed: 'were incomplete', oneFailed: 'incomplete page' },
  events: { many: 'events', timed: 'events', failing: 'missed', failed: 'were missed', oneFailed: 'missed event' },
  visits: { many: 'visits', timed: 'visits', failing: 'failing', failed: 'failed', oneFailed: 'failed visit' },
  results: { many: 'results', timed: 'results', failing: 'missing', failed: 'were missing', oneFailed: 'missing result' },
  streams: { many: 'streams', timed: 'streams', failing: 'cut', failed: 'were cut', oneFailed: 'cut stream' },
} as const satisfies Record<string, Record<string, string>>;

/** Returns what a criterion counts. A step that polls is judged by its results, not by single requests. */
export function countedThings(objective: Objective, journey: readonly Pick<Step, 'name' | 'poll'>[]): keyof typeof COUNTED {
  if ('of' in objective && objective.of !== undefined) return objective.of;
  return journey.some(({ name, poll }) => name === objective.step && poll !== undefined) ? 'results' : 'requests';
}

/** Describes the early end of a run because of slow responses. */
export function stopAtTimeSentence({ percentile, limitMs, seconds }: NonNullable<Plan['safety']['stopAtResponseTime']>): string {
  return `Stops when p${formatNumber(percentile)} of the last ${formatSeconds(seconds)} is over ${formatMs(limitMs)}.`;
}

/** Describes a criterion: "95 % of responses to “description” within 1 s". `journey`: omitted for tools that judge single requests. */
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
