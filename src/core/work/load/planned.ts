import type { ArrivalsStage, Load } from '#core/plan/schema/load.ts';
import { judgedObjectives } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { pausesOfJourney } from '../journey/flow/pauses.ts';
import { fixedRequests, requestsOnAverage, requestsPerJourney, stepsPerJourney, takingsOf } from '../journey/flow/takings.ts';
import { levelOf, requestsOf, secondsOf } from './stages.ts';
import { scheduleOf } from './schedule.ts';

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

/**
 * How many journeys were planned, of `stages` stages in which `settled` began or were left out. k6 begins with an arrival at the very start of a stage and not half a
 * gap later, so it makes one more or one less of each stage than the schedule of docs/method.md: what k6 made is then what was planned.
 */
export function plannedAsMade(plan: Pick<Plan, 'engine'>, planned: number, settled: number, stages: number): number {
  return plan.engine === 'k6' && Math.abs(settled - planned) <= stages ? settled : planned;
}

/** Requests of all stages, warm-up included; null where nothing says exactly how many there will be. */
export function plannedRequests(plan: Plan): number | null {
  return sumOrNull(
    plan.load.stages.map((stage, index) => requestsOf(stage) ?? timesOrNull(arrivalsOf(plan, index), fixedRequests(plan, index))),
  );
}

/** {@link plannedRequests}, or how many there are on average where a flow draws what its journeys do. */
export function expectedRequests(plan: Plan): number | null {
  const expected = sumOrNull(
    plan.load.stages.map((stage, index) => requestsOf(stage) ?? timesOrNull(arrivalsOf(plan, index), requestsPerJourney(plan, index).mean)),
  );
  return expected === null ? null : Math.round(expected);
}

/** Seconds of load of all stages, without the drain; null when a stage ends by a number of requests. */
export function plannedSeconds(plan: Plan): number | null {
  return sumOrNull(plan.load.stages.map(secondsOf));
}

/** Journeys of all stages; null when it is not known how many. */
export function plannedJourneys(plan: Plan): number | null {
  return sumOrNull(plan.load.stages.map((_, index) => plannedJourneysOf(plan, index)));
}

/** Journeys that are due in one stage; null where nothing says how many. */
export function plannedJourneysOf(plan: Plan, stage: number): number | null {
  const arrivals = arrivalsOf(plan, stage);
  if (arrivals !== null) return arrivals;
  const found = plan.load.stages[stage];
  const requests = found ? requestsOf(found) : null;
  return requests === null ? null : Math.ceil(requests / stepsPerJourney(plan, stage));
}

function arrivalsOf(plan: Plan, stage: number): number | null {
  const schedule = scheduleOf(plan);
  return schedule === null ? null : (schedule.perStage[stage] ?? 0);
}

function timesOrNull(amount: number | null, factor: number | null): number | null {
  return amount === null || factor === null ? null : amount * factor;
}

function sumOrNull(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return sum;
}
