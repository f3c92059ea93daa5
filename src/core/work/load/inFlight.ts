import { levelOf } from './stages.ts';
import { pausesOfJourney } from '../journey/flow/pauses.ts';
import { requestsOnAverage, takingsOf } from '../journey/flow/takings.ts';
import type { ArrivalsStage, Load } from '#core/plan/schema/load.ts';
import { judgedObjectives } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/**
 * How many journeys of a stage are on their way at the same time when every answer is only just good enough: by Little's law the highest rate
 * times the length of such a journey. Steps without a limit on their times count as nothing.
 */
export function journeysAtLimit(plan: Plan, load: Extract<Load, { model: 'arrivals' }>, stage: ArrivalsStage, index: number): number {
  const seconds = goodEnoughSeconds(plan, index) + pausesOfJourney(load.thinkTime, requestsOnAverage(plan, index));
  return Math.ceil(levelOf(stage).highest * seconds);
}

/** How long the answers of a journey may take together within the limits on response times; steps without a limit count as nothing. */
export function goodEnoughSeconds(plan: Plan, stage: number): number {
  const limits = judgedObjectives(plan, stage).flatMap((objective) => (objective.kind === 'responseTime' ? [objective] : []));
  const limitMsOf = (step: string): number =>
    limits.reduce(
      (least, { step: about, limitMs }) => (about === undefined || about === step ? Math.min(least, limitMs) : least),
      Infinity,
    );
  return plan.journey.reduce((sum, { name }) => {
    const { mean, least } = takingsOf(plan, name, stage);
    return sum + (Number.isFinite(limitMsOf(name)) ? (limitMsOf(name) / 1_000) * (mean ?? least) : 0);
  }, 0);
}
