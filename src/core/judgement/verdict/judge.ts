import { objectivesOf } from '#core/plan/objectives.ts';
import { isRunning, JUDGING_RULES, type ObjectiveResult, type Verdict } from '#core/result/schema.ts';
import { tlsOffersIn, unlikeVisitors } from '#core/result/tlsOffer.ts';
import { judgeCompletion } from './completion.ts';
import type { JudgeInput } from './input.ts';
import { itemsOf, judgedSteps, stagesOfItems } from './items.ts';
import { neverWorked } from './neverWorked.ts';
import { notJudgedOf } from './notJudged.ts';
import { notSeenIn } from './notSeen.ts';
import { nextActs } from './nextActs.ts';
import { judgeObjective } from './objectives.ts';
import { reasonsOf } from './reasons.ts';
import { sentenceOf } from './sentence.ts';

import { judgeStorage, storageOf } from './storage.ts';

export type { JudgeInput } from './input.ts';
export { Evidence } from './evidence.ts';

/**
 * Judges a run by the rules of docs/method.md: each criterion in each stage and step separately, then each step without an error criterion by its items. The
 * worst result decides. A proven violation and a step that never succeeded fail the run; anything unknown makes it inconclusive. A run without criteria is
 * measured, unless nothing succeeded.
 */
export function judge(input: JudgeInput): { objectives: ObjectiveResult[]; verdict: Verdict } {
  const planned = objectivesOf(input.plan);
  const storage = storageOf(input);
  const objectives = [
    ...planned.flatMap((objective) => judgeObjective(objective, input)),
    ...judgeCompletion(input),
    ...judgeStorage(storage, input),
  ];
  const worst = planned.length === 0 ? withoutObjectives(objectives, input) : worstOf(planned.length, objectives);
  const notSeen = notSeenIn(input);
  const outcome = worst === 'holds' && neverWorked(input).length > 0 ? 'breaks' : worst;
  return {
    objectives,
    verdict: {
      outcome,
      ...sentenceOf(outcome, objectives, input, storage),
      reasons: reasonsOf(objectives, outcome === 'breaks' ? undefined : notSeen, input, storage),
      exercised: input.plan.exercises,
      notExercised: [...input.plan.omits, ...unlikeVisitors(tlsOffersIn(input.events), input.plan)],
      ...(notSeen === undefined ? {} : { notSeen }),
      ...(storage === undefined ? {} : { storage }),
      notJudged: notJudgedOf(outcome, objectives, storage, input),
      rules: JUDGING_RULES,
      next: nextActs(outcome, objectives, input),
    },
  };
}

function withoutObjectives(objectives: readonly ObjectiveResult[], input: JudgeInput): Verdict['outcome'] {
  if (objectives.some(({ outcome }) => outcome === 'breaks')) return 'breaks';
  if (isRunning(input.head.state)) return 'measured';
  const items = judgedSteps(input.plan).map(({ slot }) => itemsOf(slot, stagesOfItems(slot, input), input));
  const due = items.reduce((sum, item) => sum + item.due, 0);
  const surely = items.reduce((sum, item) => sum + item.surely, 0);
  const maybe = items.reduce((sum, item) => sum + item.maybe, 0);
  if (due === 0 || surely + maybe < due) return 'measured';
  return maybe === 0 ? 'breaks' : 'inconclusive';
}

/** A criterion without any result is inconclusive, never passed. */
function worstOf(planned: number, objectives: readonly ObjectiveResult[]): Verdict['outcome'] {
  if (objectives.some(({ outcome }) => outcome === 'breaks')) return 'breaks';
  const judged = new Set(objectives.filter(({ isDefault }) => isDefault !== true).map(({ objective }) => objective)).size;
  return judged === planned && objectives.every(({ outcome }) => outcome === 'holds') ? 'holds' : 'inconclusive';
}
