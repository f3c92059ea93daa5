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
 * The one place where a run is judged, by the rules of docs/method.md: each objective in each stage and step by itself, then each step that no objective about errors
 * speaks of by its items, then the worst of all. A proven miss breaks, and so does a step that never worked; anything not known makes the whole inconclusive. Without
 * objectives a run was measured, unless nothing at all succeeded.
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

/** An objective that nothing was judged by is not known, never passed. */
function worstOf(planned: number, objectives: readonly ObjectiveResult[]): Verdict['outcome'] {
  if (objectives.some(({ outcome }) => outcome === 'breaks')) return 'breaks';
  const judged = new Set(objectives.filter(({ isDefault }) => isDefault !== true).map(({ objective }) => objective)).size;
  return judged === planned && objectives.every(({ outcome }) => outcome === 'holds') ? 'holds' : 'inconclusive';
}
