import type { Plan } from '#core/plan/schema/plan.ts';

/**
 * How many journeys were planned, of `stages` stages in which `settled` began or were left out. k6 begins with an arrival at the very start of a stage and not half a
 * gap later, so it makes one more or one less of each stage than the schedule of docs/method.md: what k6 made is then what was planned.
 */
export function plannedAsMade(plan: Pick<Plan, 'engine'>, planned: number, settled: number, stages: number): number {
  return plan.engine === 'k6' && Math.abs(settled - planned) <= stages ? settled : planned;
}
