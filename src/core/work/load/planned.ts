import type { ArrivalsStage, Load } from '#core/plan/schema/load.ts';
import { listJudgedCriteria } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { pausesOfJourney } from '../journey/flow/pauses.ts';
import { countFixedRequests, requestsOnAverage, requestsPerJourney, stepsPerJourney, countExecutions } from '../journey/flow/executions.ts';
import { levelOf, requestsOf, secondsOf } from './stages.ts';
import { planSchedule } from './arrivals.ts';

/**
 * Returns the number of concurrent journeys of a stage if every response takes exactly its time limit. By Little's law, it is the highest
 * rate × the journey duration. Steps without a limit count as 0.
 */
export function journeysAtLimit(plan: Plan, load: Extract<Load, { model: 'arrivals' }>, stage: ArrivalsStage, index: number): number {
  const seconds = secondsAtLimits(plan, index) + pausesOfJourney(load.thinkTime, requestsOnAverage(plan, index));
  return Math.ceil(levelOf(stage).highest * seconds);
}

/** Returns the total response time of a journey if every response takes its time limit, in seconds. Steps without a limit count as 0. */
export function secondsAtLimits(plan: Plan, stage: number): number {
  const limits = listJudgedCriteria(plan, stage).flatMap((criterion) => (criterion.kind === 'responseTime' ? [criterion] : []));
  const durationLimitMs = (step: string): number =>
    limits.reduce((least, { step: about, maxMs }) => (about === undefined || about === step ? Math.min(least, maxMs) : least), Infinity);
  return plan.journey.reduce((sum, { name }) => {
    const { mean, least } = countExecutions(plan, name, stage);
    return sum + (Number.isFinite(durationLimitMs(name)) ? (durationLimitMs(name) / 1_000) * (mean ?? least) : 0);
  }, 0);
}

/**
 * Returns the number of planned journeys of `stages` stages. `settled`: started or dropped journeys. k6 starts each stage with an arrival
 * instead of half a gap later. One more or one less per stage than in the schedule of docs/method.md therefore counts as planned.
 */
export function correctPlanned(plan: Pick<Plan, 'engine'>, planned: number, settled: number, stages: number): number {
  return plan.engine === 'k6' && Math.abs(settled - planned) <= stages ? settled : planned;
}

/** Returns the number of requests of all stages, including warm-up; null if the exact number is unknown. */
export function countPlannedRequests(plan: Plan): number | null {
  return sumOrNull(
    plan.load.stages.map((stage, index) => requestsOf(stage) ?? timesOrNull(findArrivals(plan, index), countFixedRequests(plan, index))),
  );
}

/** Returns {@link countPlannedRequests}, or the expected number if a flow has random choices. */
export function countExpectedRequests(plan: Plan): number | null {
  const expected = sumOrNull(
    plan.load.stages.map(
      (stage, index) => requestsOf(stage) ?? timesOrNull(findArrivals(plan, index), requestsPerJourney(plan, index).mean),
    ),
  );
  return expected === null ? null : Math.round(expected);
}

/** Returns the duration of all stages in seconds, without the drain; null if a stage ends by requests. */
export function computePlannedSeconds(plan: Plan): number | null {
  return sumOrNull(plan.load.stages.map(secondsOf));
}

/** Returns the number of people behind the users of a load: arrivals of all stages, or the largest number of users. */
export function plannedPeople({ load, ...plan }: Plan): number {
  if (load.model === 'arrivals') return countPlannedJourneys({ load, ...plan }) ?? 0;
  return Math.max(...load.stages.map((stage) => ('users' in stage ? stage.users : 0)));
}

/** Returns the number of journeys of all stages; null if unknown. */
export function countPlannedJourneys(plan: Plan): number | null {
  return sumOrNull(plan.load.stages.map((_, index) => findPlannedJourneys(plan, index)));
}

/** Returns the number of journeys of one stage; null if unknown. */
export function findPlannedJourneys(plan: Plan, stage: number): number | null {
  const arrivals = findArrivals(plan, stage);
  if (arrivals !== null) return arrivals;
  const found = plan.load.stages[stage];
  const requests = found ? requestsOf(found) : null;
  return requests === null ? null : Math.ceil(requests / stepsPerJourney(plan, stage));
}

function findArrivals(plan: Plan, stage: number): number | null {
  const schedule = planSchedule(plan);
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
