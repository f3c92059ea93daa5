import { formatMs, formatNumber, formatPercentile, formatSeconds, formatShare } from '#core/base/units.ts';
import type { Criterion, Plan, Step } from './schema/plan.ts';

/** Percentage of responses to a step that must be within its time budget. */
const BUDGET_PERCENTILE = 95;

/** Returns all criteria of a plan: those that it states, and the time budgets of its steps, each for 95 % of the step's requests. */
export function listCriteria({ criteria, journey }: Pick<Plan, 'criteria' | 'journey'>): Criterion[] {
  const budgets = journey.flatMap(({ name, budgetMs }): Criterion[] =>
    budgetMs === undefined ? [] : [{ kind: 'responseTime', step: name, percentile: BUDGET_PERCENTILE, maxMs: budgetMs }],
  );
  return [...criteria, ...budgets];
}

/** Default criteria: p95 within 1 s, at most 1 % errors. */
export const USUAL_CRITERIA = [
  { kind: 'responseTime', percentile: 95, maxMs: 1_000 },
  { kind: 'errors', maxShare: 0.01 },
] as const satisfies readonly Criterion[];

/** Adds the default criteria to a plan without any. */
export function addUsualCriteria(plan: Plan): Plan {
  return listCriteria(plan).length === 0 ? { ...plan, criteria: [...USUAL_CRITERIA] } : plan;
}

/** Criteria of one step, or of every request (null), in words without the step's name. */
interface CriteriaOfStep {
  readonly step: string | null;
  readonly criteria: readonly string[];
}

/** Groups the criteria of a plan by stage (null: the whole test) and step, in the order of the plan. */
export function criteriaByStage(
  plan: Pick<Plan, 'criteria' | 'journey'>,
): { readonly stage: string | null; readonly steps: readonly CriteriaOfStep[] }[] {
  return [...Map.groupBy(listCriteria(plan), ({ stage }) => stage ?? null)].map(([stage, ofStage]) => ({
    stage,
    steps: [...Map.groupBy(ofStage, ({ step }) => step ?? null)].map(([step, ofStep]) => ({
      step,
      criteria: ofStep.map(({ step: _step, stage: _stage, ...limit }) => describeCriterion(limit, plan.journey)),
    })),
  }));
}

export const COUNTED_NOUNS = {
  requests: { many: 'requests', timed: 'responses', failing: 'failing', failed: 'failed', oneFailed: 'failed request' },
  pages: { many: 'pages', timed: 'whole pages', failing: 'incomplete', failed: 'were incomplete', oneFailed: 'incomplete page' },
  events: { many: 'events', timed: 'events', failing: 'missed', failed: 'were missed', oneFailed: 'missed event' },
  visits: { many: 'visits', timed: 'visits', failing: 'failing', failed: 'failed', oneFailed: 'failed visit' },
  results: { many: 'results', timed: 'results', failing: 'missing', failed: 'were missing', oneFailed: 'missing result' },
  streams: { many: 'streams', timed: 'streams', failing: 'cut', failed: 'were cut', oneFailed: 'cut stream' },
} as const satisfies Record<string, Record<string, string>>;

/** Returns what a criterion counts. A step that polls is judged by its results, not by single requests. */
export function countedNoun(criterion: Criterion, journey: readonly Pick<Step, 'name' | 'poll'>[]): keyof typeof COUNTED_NOUNS {
  if ('of' in criterion && criterion.of !== undefined) return criterion.of;
  return journey.some(({ name, poll }) => name === criterion.step && poll !== undefined) ? 'results' : 'requests';
}

/** Describes when a run ends early because of slow responses. */
export function stopAtResponseTimeSentence({ percentile, maxMs, seconds }: NonNullable<Plan['safety']['stopAtResponseTime']>): string {
  return `Stops when p${formatNumber(percentile)} of the last ${formatSeconds(seconds)} is over ${formatMs(maxMs)}.`;
}

/** Describes a criterion: "95 % of responses to “description” within 1 s". Omit `journey` for tools that judge single requests. */
export function describeCriterion(criterion: Criterion, journey: readonly Pick<Step, 'name' | 'poll'>[] = []): string {
  const counted = COUNTED_NOUNS[countedNoun(criterion, journey)];
  const [of, to] = criterion.step === undefined ? ['', ''] : [` of “${criterion.step}”`, ` to “${criterion.step}”`];
  const stageText = criterion.stage === undefined ? '' : ` during “${criterion.stage}”`;
  switch (criterion.kind) {
    case 'responseTime':
      if (criterion.of === 'visits')
        return `${formatPercentile(criterion.percentile)} of visitors see ${criterion.step === undefined ? 'the page' : `“${criterion.step}”`} within ${formatMs(criterion.maxMs)}${stageText}`;
      return `${formatPercentile(criterion.percentile)} of ${counted.timed}${counted === COUNTED_NOUNS.requests ? to : of} within ${formatMs(criterion.maxMs)}${stageText}`;
    case 'errors': {
      const { many, failing, oneFailed } = counted;
      if (criterion.maxShare === 0) return `no ${oneFailed}${of}${stageText}`;
      return `at most ${formatShare(criterion.maxShare)} of ${many}${of} ${failing}${stageText}`;
    }
    case 'throughput':
      return `at least ${formatNumber(criterion.minPerSecond)} successful responses${to} a second${stageText}`;
    case 'apdex':
      return `Apdex of at least ${criterion.min.toFixed(2)}${of} for ${counted.timed} within ${formatMs(criterion.thresholdMs)}${stageText}`;
    default:
      return criterion satisfies never;
  }
}
