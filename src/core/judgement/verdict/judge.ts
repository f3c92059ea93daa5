import { objectivesOf } from '#core/plan/objectives.ts';
import type { ObjectiveResult, Verdict } from '#core/result/schema.ts';
import { tlsOffersIn, unlikeVisitors } from '#core/result/tlsOffer.ts';
import type { JudgeInput } from './input.ts';
import { neverWorked } from './neverWorked.ts';
import { notSeenIn } from './notSeen.ts';
import { nextActs } from './nextActs.ts';
import { judgeObjective } from './objectives.ts';
import { reasonsOf } from './reasons.ts';
import { sentenceOf } from './sentence.ts';

export type { JudgeInput } from './input.ts';
export { Evidence } from './evidence.ts';

/**
 * The one place where a run is judged, by the rules of docs/method.md: each objective in each stage and step by itself, then
 * the worst of all. A proven miss breaks; anything not known, or a step that never worked,
 * makes the whole inconclusive; without objectives it was measured.
 */
export function judge(input: JudgeInput): { objectives: ObjectiveResult[]; verdict: Verdict } {
  const planned = objectivesOf(input.plan);
  const objectives = planned.flatMap((objective) => judgeObjective(objective, input));
  const worst = worstOf(planned.length, objectives);
  const notSeen = notSeenIn(input);
  const outcome = worst === 'holds' && neverWorked(input).length > 0 ? 'inconclusive' : worst;
  return {
    objectives,
    verdict: {
      outcome,
      ...sentenceOf(outcome, objectives, input),
      reasons: reasonsOf(objectives, outcome === 'breaks' ? undefined : notSeen, input),
      exercised: input.plan.exercises,
      notExercised: [...input.plan.omits, ...unlikeVisitors(tlsOffersIn(input.events), input.plan)],
      ...(notSeen === undefined ? {} : { notSeen }),
      next: nextActs(outcome, objectives, input),
    },
  };
}

/** An objective that nothing was judged by is not known, never passed. */
function worstOf(planned: number, objectives: readonly ObjectiveResult[]): Verdict['outcome'] {
  if (planned === 0) return 'measured';
  if (objectives.some(({ outcome }) => outcome === 'breaks')) return 'breaks';
  const judged = new Set(objectives.map(({ objective }) => objective)).size;
  return judged === planned && objectives.every(({ outcome }) => outcome === 'holds') ? 'holds' : 'inconclusive';
}
