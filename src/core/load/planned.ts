import type { Plan } from '../plan/schema.ts';

/** Requests of all stages, warm-up included; null when a stage ends by time, so that nothing says how many there will be. */
export function plannedRequests(plan: Plan): number | null {
  return sumOrNull(plan.load.stages.map((stage) => stage.requests));
}

/** Seconds of load of all stages, without the drain; null when a stage ends by a number of requests. */
export function plannedSeconds(plan: Plan): number | null {
  return sumOrNull(plan.load.stages.map((stage) => stage.seconds));
}

/** Journeys of all stages: each takes one request per step. null when the number of requests is not known. */
export function plannedJourneys(plan: Plan): number | null {
  return sumOrNull(
    plan.load.stages.map((stage) => (stage.requests === undefined ? undefined : Math.ceil(stage.requests / plan.journey.length))),
  );
}

function sumOrNull(values: readonly (number | undefined)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === undefined) return null;
    sum += value;
  }
  return sum;
}
