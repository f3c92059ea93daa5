import type { Plan } from './schema.ts';

/** Name of a stage; those without one are numbered. */
export function stageName(plan: Plan, index: number): string {
  return plan.load.stages[index]?.name ?? `stage ${index + 1}`;
}

/** Name of a step. */
export function stepName(plan: Plan, index: number): string {
  return plan.journey[index]?.name ?? `step ${index + 1}`;
}

/** Stages that are judged. */
export function countedStages(plan: Plan): number[] {
  return plan.load.stages.flatMap((stage, index) => (stage.counted ? [index] : []));
}
