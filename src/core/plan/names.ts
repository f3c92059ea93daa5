import { stepOfSlot, watchPageBehind } from '#core/measurement/pageCell.ts';
import { listRecordedRequests } from './requests.ts';
import { listCriteria } from './criteria.ts';
import type { Criterion, Plan } from './schema/plan.ts';
import { watchPageNames } from './watchPages.ts';

/** Returns the name of a stage. Unnamed stages are numbered; a single one is called the whole run. */
export function stageName(plan: Plan, index: number): string {
  return plan.load.stages[index]?.name ?? (plan.load.stages.length === 1 ? 'the whole run' : `stage ${index + 1}`);
}

/** Returns the name shown for an index that has its own figures: a step, the redirects or resources of a step, or a watched page. */
export function stepName(plan: Plan, index: number): string {
  const page = watchPageBehind(index);
  if (page !== null) return watchPageNames(plan)[page] ?? `page ${page + 1}`;
  const step = stepOfSlot(index);
  if (step !== null) return plan.journey[step]?.name ?? `step ${step + 1}`;
  return listRecordedRequests(plan)[index]?.name ?? `step ${index + 1}`;
}

export function listCountedStages(plan: Plan): number[] {
  return [...plan.load.stages.entries()].flatMap(([index, stage]) => (stage.counted ? [index] : []));
}

/** Returns the stages that figures cover: the counted ones, or all of them if none is counted. */
export function listJudgedStages(plan: Plan): number[] {
  const counted = listCountedStages(plan);
  return counted.length > 0 ? counted : plan.load.stages.map((_, index) => index);
}

/** Returns the criteria of a counted stage; empty for other stages. */
export function listJudgedCriteria(plan: Plan, stage: number): Criterion[] {
  if (!listCountedStages(plan).includes(stage)) return [];
  return listCriteria(plan).filter((criterion) => criterion.stage === undefined || criterion.stage === stageName(plan, stage));
}
