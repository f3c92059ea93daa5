import { objectivesOf } from '#core/plan/objectives.ts';
import { countedStages, stageName } from '#core/plan/names.ts';
import type { Objective, Plan, Step } from '#core/plan/schema/plan.ts';
import { formatCount, formatPercent } from '#core/base/units.ts';
import { sickGeneratorNames } from '#core/result/generatorNames.ts';
import type { ObjectiveResult } from '#core/result/schema.ts';
import { missedFrom } from '#core/statistics/missedFrom.ts';
import { type Items, isUnused, itemNouns, itemsOf, itemsWords, judgedSteps, stagesOfItems } from './items.ts';
import { isComplete, type JudgeInput } from './input.ts';
import { excessOf } from './kinds/counts.ts';

/** So large a share of the items of a step may fail where the plan says nothing else. */
const MAX_FAILED_SHARE = 0.01;
/** None may fail where fewer were due. */
const MIN_ITEMS_FOR_FAILURES = 100;

/** Name of what is judged over all counted stages together. */
export const WHOLE_RUN = 'the whole run';

/**
 * The default criterion of each step that no criterion about errors speaks of. It speaks of this run and not of the server in general, so it is decided by counting: a
 * failure that an overloaded generator may have caused leaves it open where it decides. Only for plans that have criteria.
 */
export function judgeCompletion(input: JudgeInput): ObjectiveResult[] {
  const { plan } = input;
  const objectives = objectivesOf(plan);
  if (objectives.length === 0) return [];
  return judgedSteps(plan).flatMap(({ step: index, slot }) => {
    const step = plan.journey[index];
    if (step === undefined) return [];
    const counted = countedStages(plan);
    const isCounted = counted.some((stage) => !isUnused(input.evidence.of(stage, slot)));
    // A criterion of one stage says nothing of the others.
    const open = stagesOfItems(slot, input).filter(
      (stage) => !isCounted || !objectives.some((objective) => coversErrors(objective, step, stageName(plan, stage))),
    );
    const items = itemsOf(slot, open, input);
    return items.due === 0 ? [] : [judgeItems(step, items, stagesWords(isCounted ? open : counted, plan), input)];
  });
}

/** How many of so many items may fail. */
export function allowedFailures(due: number): number {
  return due < MIN_ITEMS_FOR_FAILURES ? 0 : Math.floor(MAX_FAILED_SHARE * due);
}

function coversErrors(objective: Objective, { name, resources, stream }: Step, stage: string): boolean {
  if (objective.kind !== 'errors' || (objective.step !== undefined && objective.step !== name)) return false;
  if (objective.stage !== undefined && objective.stage !== stage) return false;
  switch (objective.of) {
    case undefined:
      return true;
    case 'pages':
      // Without a step, all pages of a stage are one number, in which a step that always fails is lost.
      return objective.step === name && resources !== undefined;
    case 'events':
    case 'streams':
      return stream !== undefined;
    case 'visits':
      return false;
    default:
      return objective.of satisfies never;
  }
}

function judgeItems(step: Step, items: Items, stage: string, input: JudgeInput): ObjectiveResult {
  const { due, surely, maybe, blocks } = items;
  const allowed = allowedFailures(due);
  const maxShare = due < MIN_ITEMS_FOR_FAILURES ? 0 : MAX_FAILED_SHARE;
  const failed = surely + maybe;
  const facts = {
    objective: { kind: 'errors' as const, step: step.name, maxShare },
    text: criterionText(step, maxShare),
    stage,
    step: step.name,
    measured: failed / due,
    limit: maxShare,
    unit: 'share' as const,
    counted: due,
    over: failed,
    shareLow: null,
    shareHigh: null,
    isDefault: true as const,
  };
  const found = `${itemsWords(step, due, failed)}; ${allowedWords(allowed)}.`;
  if (surely > allowed)
    return { ...facts, outcome: 'breaks', unknownBecause: null, reason: found, fromSecond: missedFrom(excessOf(blocks, maxShare)) };
  if (failed > allowed) {
    const reason = `${found} ${formatCount(maybe)} of them may come from the overload of ${sickGeneratorNames(input.generators)}, and whether they count decides the outcome.`;
    return { ...facts, outcome: 'unknown', unknownBecause: 'generator', reason, fromSecond: null };
  }
  if (!isComplete(input))
    return {
      ...facts,
      outcome: 'unknown',
      unknownBecause: 'interrupted',
      reason: `${found} Inconclusive: the run is not complete.`,
      fromSecond: null,
    };
  return { ...facts, outcome: 'holds', unknownBecause: null, reason: found, fromSecond: null };
}

function criterionText(step: Step, maxShare: number): string {
  const { one, many } = itemNouns(step);
  return maxShare === 0 ? `no failed ${one}` : `at most ${formatPercent(maxShare)} of ${many} failing`;
}

function allowedWords(allowed: number): string {
  return allowed === 0 ? 'no failure is allowed' : `${formatCount(allowed)} may fail`;
}

/** The stages whose items are judged together: one or several by name, all of several as the whole run. */
function stagesWords(stages: readonly number[], plan: Plan): string {
  const isWhole = stages.length > 1 && stages.length === countedStages(plan).length;
  return isWhole ? WHOLE_RUN : stages.map((stage) => stageName(plan, stage)).join(', ');
}
