import { listCriteria } from '#core/plan/criteria.ts';
import { isRunning } from '#core/result/schema.ts';
import { listTlsOffers, listDifferencesFromBrowsers } from '#core/result/tlsOffer.ts';
import { judgeCompletion, WHOLE_RUN_NAME } from './completion.ts';
import { type JudgeInput, completeJudgement } from './input.ts';
import { buildItems, listJudgedSteps, listNeverWorked, stagesOfItems } from './items.ts';
import { listNotJudged, findNotSeen } from './notJudged.ts';
import { listNextActs } from './nextActs.ts';
import { judgeCriterion } from './criteria.ts';
import { listReasons } from './reasons.ts';
import { verdictParts, wasStoppedInWarmUp } from './sentence.ts';
import { judgePeople } from './people.ts';
import { judgeStorage, findStorage } from './storage.ts';
import { type CriterionResult, type Verdict, JUDGING_RULES } from '#core/result/verdict.ts';
import { formatVerdict } from './labels.ts';
import { formatCount } from '#core/base/units.ts';
import { countOversold, placesSentences } from '#core/result/places.ts';

export type { JudgeInput } from './input.ts';
export { Evidence } from './evidence.ts';

/**
 * Judges a run by the rules of docs/method.md: first each criterion in each stage and step separately, then each step without an error
 * criterion by its items. The worst result decides. A proven violation and a step that never succeeded fail the run; anything unknown makes
 * it inconclusive. A run without criteria is measured, unless nothing succeeded.
 */
export function judge(input: JudgeInput): { criteria: CriterionResult[]; verdict: Verdict } {
  const planned = listCriteria(input.plan);
  const storage = findStorage(input);
  const criteria = [
    ...planned.flatMap((criterion) => judgeCriterion(criterion, input)),
    ...judgeCompletion(input),
    ...judgeStorage(storage, input),
    ...judgePeople(input),
    ...judgePlaces(input),
  ];
  const worst = planned.length === 0 ? outcomeWithoutCriteria(criteria, input) : worstOutcome(planned.length, criteria);
  const notSeen = findNotSeen(input);
  const outcome = (worst === 'passed' && listNeverWorked(input).length > 0) || hasFailedInWarmUp(input) ? 'failed' : worst;
  return {
    criteria,
    verdict: {
      outcome,
      ...formatVerdict(outcome, verdictParts(outcome, criteria, input, storage)),
      reasons: listReasons(criteria, outcome === 'failed' ? undefined : notSeen, input, storage),
      exercised: input.plan.exercises,
      notExercised: [...input.plan.omits, ...listDifferencesFromBrowsers(listTlsOffers(input.events), input.plan)],
      ...(notSeen === undefined ? {} : { notSeen }),
      ...(storage === undefined ? {} : { storage }),
      notJudged: listNotJudged(outcome, criteria, storage, input),
      rules: JUDGING_RULES,
      next: listNextActs(outcome, criteria, input),
    },
  };
}

/** Returns whether a safety limit ended the run before any judged stage, and a step certainly never succeeded. */
function hasFailedInWarmUp(input: JudgeInput): boolean {
  if (input.head.endedBecause?.code !== 'safety' || !wasStoppedInWarmUp(input)) return false;
  return listJudgedSteps(input.plan).some(({ requestIndex }) => {
    const { due, surely } = buildItems(requestIndex, input.evidence.stagesOf(requestIndex), input);
    return due > 0 && surely === due;
  });
}

function outcomeWithoutCriteria(criteria: readonly CriterionResult[], input: JudgeInput): Verdict['outcome'] {
  if (criteria.some(({ outcome }) => outcome === 'failed')) return 'failed';
  if (isRunning(input.head.state)) return 'measured';
  const items = listJudgedSteps(input.plan).map(({ requestIndex }) => buildItems(requestIndex, stagesOfItems(requestIndex, input), input));
  const due = items.reduce((sum, item) => sum + item.due, 0);
  const surely = items.reduce((sum, item) => sum + item.surely, 0);
  const maybe = items.reduce((sum, item) => sum + item.maybe, 0);
  if (due === 0 || surely + maybe < due) return 'measured';
  return maybe === 0 ? 'failed' : 'inconclusive';
}

/** Returns the worst outcome. A criterion without any result is inconclusive, never passed. */
function worstOutcome(planned: number, criteria: readonly CriterionResult[]): Verdict['outcome'] {
  if (criteria.some(({ outcome }) => outcome === 'failed')) return 'failed';
  const judged = new Set(criteria.filter(({ isDefault }) => isDefault !== true).map(({ criterion }) => criterion)).size;
  return judged === planned && criteria.every(({ outcome }) => outcome === 'passed') ? 'passed' : 'inconclusive';
}

/** Judges whether more places were given than there are. A count decides, because even one place too many is a violation. */
function judgePlaces({ head, places }: JudgeInput): CriterionResult[] {
  if (places === undefined || isRunning(head.state) || places.given + places.refused === 0) return [];
  const oversold = countOversold(places);
  const [sentence = ''] = placesSentences(places);
  return [
    {
      criterion: { kind: 'errors', step: places.step, maxShare: 0 },
      text: `at most ${formatCount(places.places)} places are given`,
      stage: WHOLE_RUN_NAME,
      step: places.step,
      ...completeJudgement({
        outcome: oversold > 0 ? 'failed' : 'passed',
        reason: sentence,
        measured: oversold / (places.places + oversold),
        limit: 0,
        unit: 'share',
        counted: places.places + oversold,
        over: oversold,
      }),
      isDefault: true,
      ...(oversold > 0 ? { isOfStorage: true } : {}),
    },
  ];
}
