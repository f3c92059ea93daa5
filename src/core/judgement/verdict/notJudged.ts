import { criteriaOf } from '#core/plan/criteria.ts';
import { storesOf } from '#core/work/journey/storing.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import type { CriterionResult, Verdict } from '#core/result/schema.ts';
import type { JudgeInput } from './input.ts';
import { isUnused, judgedSteps } from './items.ts';

type NotJudged = NonNullable<Verdict['notJudged']>;

/** Returns the steps without a decided criterion, and steps whose successful responses prove nothing or could not be checked. */
export function notJudgedOf(
  outcome: Verdict['outcome'],
  criteria: readonly CriterionResult[],
  storage: Verdict['storage'],
  input: JudgeInput,
): NotJudged {
  const { plan, evidence } = input;
  return judgedSteps(plan).flatMap(({ name, step: index, slot }): NotJudged => {
    const own = criteria.filter(({ step, isOfStorage }) => step === name && isOfStorage !== true);
    if (evidence.stagesOf(slot).every((stage) => isUnused(evidence.of(stage, slot)))) return [{ step: name, because: 'neverSent' }];
    if (criteriaOf(plan).length === 0)
      return outcome === 'failed' && evidence.totalOf(slot).good === 0 ? [] : [{ step: name, because: 'noCriteria' }];
    if (own.every(({ outcome }) => outcome === 'unknown')) return [{ step: name, because: 'undecided' }];
    if (evidence.totalOf(slot).unchecked > 0) return [{ step: name, because: 'notChecked' }];
    const step = plan.journey[index];
    const isProven = storage?.steps.some((one) => one.step === name && one.state !== 'notVerified') === true;
    return step === undefined || isProven || showsSuccess(step, plan) ? [] : [{ step: name, because: 'statusOnly' }];
  });
}

/** Returns whether the response of a storing step shows success. Many servers also send refusals with status 200. */
function showsSuccess(step: Step, plan: Plan): boolean {
  if (!storesOf(step, plan)) return true;
  const { checks, captures, poll, redirects, expectStatus } = step;
  const isDistinct = expectStatus !== undefined && !expectStatus.includes(200);
  return checks.length > 0 || (captures ?? []).length > 0 || poll !== undefined || redirects !== undefined || isDistinct;
}

const WHY: Readonly<Record<NotJudged[number]['because'], string>> = {
  neverSent: 'never sent',
  undecided: 'inconclusive',
  noCriteria: 'no pass criteria',
  statusOnly: 'only its status shows success',
  notChecked: 'responses too large to check',
};

/** Maximum number of steps named for each reason. */
const MAX_NAMED = 6;

/**
 * Example: “Not judged: “form”, “submissions” (never sent).” Empty if every step was judged, and if the verdict already says so: for a run without criteria
 * or without a decision.
 */
export function notJudgedWords({ outcome, notJudged = [] }: Pick<Verdict, 'outcome' | 'notJudged'>): string {
  const told = notJudged.filter(({ because }) => because !== 'noCriteria' && (because !== 'undecided' || outcome !== 'inconclusive'));
  if (outcome === 'measured' || told.length === 0) return '';
  const parts = [...Map.groupBy(told, ({ because }) => because)].map(([because, steps]) => {
    const names = steps.slice(0, MAX_NAMED).map(({ step }) => `“${step}”`);
    const rest = steps.length > MAX_NAMED ? ` and ${steps.length - MAX_NAMED} more` : '';
    return `${names.join(', ')}${rest} (${WHY[because]})`;
  });
  return `Not judged: ${parts.join('; ')}.`;
}
