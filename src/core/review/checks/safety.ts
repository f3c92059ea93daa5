import { error, type Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { plannedRequests, plannedSeconds } from '#core/work/load/planned.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { warning, unknownStep } from './make.ts';

/** Checks that results of the demand belong to a step that polls. */
export function checkDemand({ demand, journey }: Plan): Issue[] {
  const step = demand?.results?.step;
  const polled = journey.flatMap(({ name, poll }) => (poll === undefined ? [] : [name]));
  if (step === undefined || polled.includes(step)) return [];
  const path = 'demand.results.step';
  const isKnown = journey.some(({ name }) => name === step);
  if (isKnown)
    return [
      error('STEP_NOT_POLLED', path, `“${step}” does not poll, so it has no results.`, 'Add poll to the step, or name a step that polls.'),
    ];
  return [unknownStep(path, step, polled)];
}

const STOPPED_HINT = 'A stopped run can fail but never pass. Raise the limit, or plan less load.';

/** Warns if the plan would exceed its own safety limits. */
export function checkSafety(plan: Plan): Issue[] {
  const { maxRequests, maxSeconds } = plan.safety;
  const requests = plannedRequests(plan);
  const seconds = plannedSeconds(plan);
  const issues: Issue[] = [];
  if (maxRequests !== undefined && requests !== null && requests > maxRequests) {
    issues.push(
      warning(
        'SAFETY_BELOW_PLAN',
        'safety.maxRequests',
        `The run stops after ${formatCount(maxRequests)} of ${formatCount(requests)} planned requests.`,
        STOPPED_HINT,
      ),
    );
  }
  if (maxSeconds !== undefined && seconds !== null && seconds > maxSeconds) {
    issues.push(
      warning(
        'SAFETY_BELOW_PLAN',
        'safety.maxSeconds',
        `The run stops after ${formatSeconds(maxSeconds)} of ${formatSeconds(seconds)} of planned load.`,
        STOPPED_HINT,
      ),
    );
  }
  return issues;
}
