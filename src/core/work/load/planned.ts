import { fixedRequests, requestsPerJourney, stepsPerJourney } from '../journey/flow/takings.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { scheduleOf } from './schedule.ts';
import { requestsOf, secondsOf } from './stages.ts';

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
