import { stepBehind, watchPageBehind } from '#core/measurement/pageCell.ts';
import { recordedRequests } from './requests.ts';
import { objectivesOf } from './objectives.ts';
import type { Objective, Plan } from './schema/plan.ts';
import { watchPageNames } from './watchPages.ts';

/** Name of a stage; those without one are numbered, and the only one is the whole run. */
export function stageName(plan: Plan, index: number): string {
  return plan.load.stages[index]?.name ?? (plan.load.stages.length === 1 ? 'the whole run' : `stage ${index + 1}`);
}

/** Name of a kind of request that has figures of its own: of a step, of the redirects of one, or of what its pages link to. */
export function stepName(plan: Plan, index: number): string {
  const page = watchPageBehind(index);
  if (page !== null) return watchPageNames(plan)[page] ?? `page ${page + 1}`;
  const step = stepBehind(index);
  if (step !== null) return plan.journey[step]?.name ?? `step ${step + 1}`;
  return recordedRequests(plan)[index]?.name ?? `step ${index + 1}`;
}

/** Stages that are judged. */
export function countedStages(plan: Plan): number[] {
  return [...plan.load.stages.entries()].flatMap(([index, stage]) => (stage.counted ? [index] : []));
}

/** Stages that figures are of: the counted ones; all of them when the plan counts none. */
export function judgedStages(plan: Plan): number[] {
  const counted = countedStages(plan);
  return counted.length > 0 ? counted : plan.load.stages.map((_, index) => index);
}

/** The objectives that a counted stage is judged by; none for a stage that is not counted. */
export function judgedObjectives(plan: Plan, stage: number): Objective[] {
  if (!countedStages(plan).includes(stage)) return [];
  return objectivesOf(plan).filter((objective) => objective.stage === undefined || objective.stage === stageName(plan, stage));
}
