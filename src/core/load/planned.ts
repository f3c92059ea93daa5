import type { Plan } from '../plan/schema.ts';
import { scheduleOf } from './schedule.ts';
import { requestsOf, secondsOf } from './stages.ts';

/** Requests of all stages, warm-up included; null where nothing says how many there will be. Arrivals take one request per step. */
export function plannedRequests(plan: Plan): number | null {
  const arrivals = plannedArrivals(plan);
  return arrivals === null ? sumOrNull(plan.load.stages.map(requestsOf)) : arrivals * plan.journey.length;
}

/** Seconds of load of all stages, without the drain; null when a stage ends by a number of requests. */
export function plannedSeconds(plan: Plan): number | null {
  return sumOrNull(plan.load.stages.map(secondsOf));
}

/** Journeys of all stages: each takes one request per step. null when the number of requests is not known. */
export function plannedJourneys(plan: Plan): number | null {
  const journeysOf = (requests: number | null): number | null => (requests === null ? null : Math.ceil(requests / plan.journey.length));
  return plannedArrivals(plan) ?? sumOrNull(plan.load.stages.map((stage) => journeysOf(requestsOf(stage))));
}

/** Journeys that are due in one stage; null where nothing says how many. */
export function plannedJourneysOf(plan: Plan, stage: number): number | null {
  const schedule = scheduleOf(plan);
  if (schedule !== null) return schedule.perStage[stage] ?? 0;
  const found = plan.load.stages[stage];
  const requests = found ? requestsOf(found) : null;
  return requests === null ? null : Math.ceil(requests / plan.journey.length);
}

function plannedArrivals(plan: Plan): number | null {
  return scheduleOf(plan)?.perStage.reduce((sum, arrivals) => sum + arrivals, 0) ?? null;
}

function sumOrNull(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return sum;
}
