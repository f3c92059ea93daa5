import { listCriteria } from '#core/plan/criteria.ts';
import { listCountedStages, stageName } from '#core/plan/names.ts';
import type { Criterion, Plan, Step } from '#core/plan/schema/plan.ts';
import { formatCount, formatPercent } from '#core/base/units.ts';
import { formatOverloadedNames } from '#core/result/generatorNames.ts';
import { findFailingSecond } from '#core/statistics/latency.ts';
import { isUnused, itemNouns, type Items, buildItems, formatItems, listJudgedSteps, stagesOfItems } from './items.ts';
import { isComplete, type JudgeInput, type Judgement, completeJudgement } from './input.ts';
import { computeExcess } from './kinds/counts.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

/** Maximum share of a step's items that may fail by default. */
export const MAX_FAILED_SHARE = 0.01;
/** Minimum number of due items for which failures are allowed. With fewer, none may fail. */
const MIN_ITEMS_FOR_FAILURES = 100;

/** Name of the scope that covers all counted stages together. */
export const WHOLE_RUN_NAME = 'the whole run';

/**
 * Judges the default criterion of each step without an error criterion. It describes this run rather than the server, so failures are
 * counted and no confidence bound is used. The result is inconclusive if it depends on failures that an overloaded load generator may have
 * caused. Only plans with criteria have default criteria.
 */
export function judgeCompletion(input: JudgeInput): CriterionResult[] {
  const { plan } = input;
  const criteria = listCriteria(plan);
  if (criteria.length === 0) return [];
  return listJudgedSteps(plan).flatMap(({ step: index, requestIndex }) => {
    const step = plan.journey[index];
    if (step === undefined) return [];
    const counted = listCountedStages(plan);
    const isCounted = counted.some((stage) => !isUnused(input.evidence.of(stage, requestIndex)));
    // A criterion for one stage does not cover the other stages.
    const open = stagesOfItems(requestIndex, input).filter(
      (stage) => !isCounted || !criteria.some((criterion) => coversErrors(criterion, step, stageName(plan, stage))),
    );
    const items = buildItems(requestIndex, open, input);
    return items.due === 0 ? [] : [judgeItems(step, items, formatStages(isCounted ? open : counted, plan), input)];
  });
}

/** Returns how many of `due` items may fail. */
export function maxFailures(due: number): number {
  return due < MIN_ITEMS_FOR_FAILURES ? 0 : Math.floor(MAX_FAILED_SHARE * due);
}

function coversErrors(criterion: Criterion, { name, resources, stream }: Step, stage: string): boolean {
  if (criterion.kind !== 'errors' || (criterion.step !== undefined && criterion.step !== name)) return false;
  if (criterion.stage !== undefined && criterion.stage !== stage) return false;
  switch (criterion.of) {
    case undefined:
      return true;
    case 'pages':
      // A criterion without a step judges all pages of a stage together, which would hide a step that always fails.
      return criterion.step === name && resources !== undefined;
    case 'events':
    case 'streams':
      return stream !== undefined;
    case 'visits':
      return false;
    default:
      return criterion.of satisfies never;
  }
}

function judgeItems(step: Step, items: Items, stage: string, input: JudgeInput): CriterionResult {
  const { due, surely, maybe, blocks } = items;
  const allowed = maxFailures(due);
  const maxShare = due < MIN_ITEMS_FOR_FAILURES ? 0 : MAX_FAILED_SHARE;
  const failed = surely + maybe;
  const facts = { measured: failed / due, limit: maxShare, unit: 'share', counted: due, over: failed } as const;
  const names = {
    criterion: { kind: 'errors', step: step.name, maxShare },
    text: criterionText(step, maxShare),
    stage,
    step: step.name,
  } as const;
  const judged = (outcome: Judgement['outcome'], reason: string, more: Partial<Judgement> = {}): CriterionResult => ({
    ...names,
    ...completeJudgement({ ...facts, outcome, reason, ...more }),
    isDefault: true,
  });
  const found = `${formatItems(step, due, failed)}; ${formatAllowed(allowed)}.`;
  if (surely > allowed) return judged('failed', found, { fromSecond: findFailingSecond(computeExcess(blocks, maxShare)) });
  if (failed > allowed) {
    const reason = `${found} ${formatCount(maybe)} of them may come from the overload of ${formatOverloadedNames(input.generators)}, and whether they count decides the outcome.`;
    return judged('unknown', reason, { unknownBecause: 'generator' });
  }
  if (!isComplete(input)) return judged('unknown', `${found} Inconclusive: the run is not complete.`, { unknownBecause: 'interrupted' });
  return judged('passed', found);
}

function criterionText(step: Step, maxShare: number): string {
  const { one, many } = itemNouns(step);
  return maxShare === 0 ? `no failed ${one}` : `at most ${formatPercent(maxShare)} of ${many} failing`;
}

function formatAllowed(allowed: number): string {
  return allowed === 0 ? 'no failure is allowed' : `${formatCount(allowed)} may fail`;
}

/** Names the stages whose items are judged together. All of several stages are called the whole run. */
function formatStages(stages: readonly number[], plan: Plan): string {
  const isWhole = stages.length > 1 && stages.length === listCountedStages(plan).length;
  return isWhole ? WHOLE_RUN_NAME : stages.map((stage) => stageName(plan, stage)).join(', ');
}
