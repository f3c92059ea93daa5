import { expectedRequests, plannedSeconds } from '#core/work/load/planned.ts';
import { requestsOf } from '#core/work/load/stages.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { isSingleRequest } from '#core/work/journey/flow/takings.ts';
import type { Issue } from '#core/plan/issues.ts';
import { MAX_STAGE_SECONDS, MAX_REQUESTS, type Load } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { checkArrivals } from './arrivals.ts';
import { checkConnectionStage } from './connectionStage.ts';
import { error, repeated, warning } from './make.ts';
import { checkUsers } from './users.ts';

export function checkLoad(plan: Plan): Issue[] {
  const twice = repeated(plan.load.stages.map((stage) => stage.name)).map((index) =>
    error(
      'DUPLICATE_STAGE_NAME',
      `load.stages[${index}].name`,
      'Two stages have the same name.',
      'Give each its own name: figures and objectives go by it.',
    ),
  );
  return [...checkThinkTime(plan), ...checkModel(plan, plan.load), ...checkLength(plan), ...checkAmount(plan), ...twice];
}

function checkModel(plan: Plan, load: Load): Issue[] {
  switch (load.model) {
    case 'connections':
      return load.stages.flatMap((stage, index) => checkConnectionStage(plan, stage, index));
    case 'users':
      return load.stages.flatMap((stage, index) => checkUsers(plan, load, stage, index));
    case 'arrivals':
      return checkArrivals(plan, load);
    default:
      return load satisfies never;
  }
}

function checkThinkTime(plan: Plan): Issue[] {
  const { load } = plan;
  if (load.model === 'arrivals' && load.thinkTime !== undefined && isSingleRequest(plan)) {
    return [
      warning(
        'PAUSE_WITHOUT_NEXT',
        'load.thinkTime',
        'Arrivals pause between the steps of their journey, and this one has a single step: nobody pauses.',
        'Leave thinkTime out, add steps, or use the model “users”, whose journeys begin again after a pause.',
      ),
    ];
  }
  if (load.model === 'connections' || load.thinkTime?.kind !== 'uniform') return [];
  const { fromSeconds, toSeconds } = load.thinkTime;
  if (fromSeconds <= toSeconds) return [];
  return [
    error(
      'THINK_TIME_REVERSED',
      'load.thinkTime',
      `Pauses cannot take from ${formatSeconds(fromSeconds)} to ${formatSeconds(toSeconds)}.`,
      'Write the shorter time as fromSeconds and the longer one as toSeconds.',
    ),
  ];
}

function checkLength(plan: Plan): Issue[] {
  const seconds = plannedSeconds(plan);
  if (seconds === null || seconds <= MAX_STAGE_SECONDS) return [];
  return [
    error(
      'LOAD_TOO_LONG',
      'load.stages',
      `All stages together take ${formatSeconds(seconds)}.`,
      `A run may take ${formatCount(MAX_STAGE_SECONDS / 3_600)} hours at most. Make stages shorter, or run them one after the other.`,
    ),
  ];
}

/** The requests of all stages, as far as they say a number. Counters of the workers hold as many as one stage may ask for. */
function checkAmount(plan: Plan): Issue[] {
  const said = plan.load.stages.reduce((sum, stage) => sum + (requestsOf(stage) ?? 0), 0);
  const requests = expectedRequests(plan) ?? said;
  if (requests <= MAX_REQUESTS) return [];
  return [
    error(
      'TOO_MANY_REQUESTS',
      'load.stages',
      `All stages together make ${formatCount(requests)} requests.`,
      `A run may make ${formatCount(MAX_REQUESTS)} at most. Plan less, or several runs.`,
    ),
  ];
}
