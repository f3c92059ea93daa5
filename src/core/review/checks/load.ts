import { expectedRequests, plannedSeconds } from '#core/work/load/planned.ts';
import { requestsOf } from '#core/work/load/stages.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { fixedRequests, isSingleRequest } from '#core/work/journey/flow/takings.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import { stageName } from '#core/plan/names.ts';
import { type ConnectionsStage, type Load, MAX_REQUESTS, MAX_STAGE_SECONDS } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { checkArrivals } from './arrivals.ts';
import { checkReached, repeated, warning, NAMED_BY_FIGURES } from './make.ts';
import { checkUsers } from './users.ts';

/** Checks a stage of the model `connections`. */
function checkConnectionStage(plan: Plan, stage: ConnectionsStage, index: number): Issue[] {
  const path = `load.stages[${index}]`;
  const issues: Issue[] = [];
  if ((stage.requests === undefined) === (stage.seconds === undefined)) {
    const message = stage.requests === undefined ? 'This stage has no end.' : 'This stage has two ends.';
    issues.push(error('STAGE_NEEDS_ONE_END', path, message, 'Set either requests or seconds.'));
  }
  if (stage.requests !== undefined && stage.connections > stage.requests) {
    issues.push(
      error(
        'CONNECTIONS_OVER_REQUESTS',
        `${path}.connections`,
        `${formatCount(stage.connections)} connections cannot share ${formatCount(stage.requests)} requests. Some would never send one.`,
        `Use at most ${formatCount(stage.requests)} connections, or more requests.`,
      ),
    );
  }
  if (stage.requests !== undefined) issues.push(...checkWholeJourneys(plan, index, stage.requests, `${path}.requests`));
  return [...issues, ...checkReached(plan, stage.connections, 'connections', `${path}.connections`)];
}

function checkWholeJourneys(plan: Plan, index: number, requests: number, path: string): Issue[] {
  const steps = fixedRequests(plan, index);
  if (steps === null) {
    return [
      error(
        'JOURNEYS_DIFFER',
        path,
        'The number of requests in a journey of this flow varies, so no number of requests makes whole journeys.',
        'Set seconds instead of requests, or use arrivals (load model arrivals, kind: count).',
      ),
    ];
  }
  if (steps === 0 || requests % steps === 0) return [];
  const below = Math.floor(requests / steps) * steps;
  const nearest = below > 0 && requests - below <= below + steps - requests ? below : below + steps;
  return [
    error(
      'REQUESTS_NOT_WHOLE_JOURNEYS',
      path,
      `${formatCount(requests)} requests do not make whole journeys of ${steps} ${plan.flow === undefined ? 'steps' : 'requests'}.`,
      `Use a multiple of ${steps}; the nearest is ${formatCount(nearest)}.`,
    ),
  ];
}

export function checkLoad(plan: Plan): Issue[] {
  const twice = repeated(plan.load.stages.map((_, index) => stageName(plan, index))).map((index) =>
    error('DUPLICATE_STAGE_NAME', `load.stages[${index}].name`, 'Two stages have the same name.', NAMED_BY_FIGURES),
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
        'Arrivals pause between steps. This journey has one step, so there is no pause.',
        'Remove thinkTime, add steps, or use the load model “users”, whose journeys repeat after a pause.',
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
      `Pauses cannot range from ${formatSeconds(fromSeconds)} to ${formatSeconds(toSeconds)}.`,
      'Use the shorter time as fromSeconds and the longer one as toSeconds.',
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
      `The limit of a run is ${formatCount(MAX_STAGE_SECONDS / 3_600)} hours. Shorten stages, or split them into several runs.`,
    ),
  ];
}

/** Checks the number of requests of all stages. Worker counters have the capacity of one stage's maximum. */
function checkAmount(plan: Plan): Issue[] {
  const said = plan.load.stages.reduce((sum, stage) => sum + (requestsOf(stage) ?? 0), 0);
  const requests = expectedRequests(plan) ?? said;
  if (requests <= MAX_REQUESTS) return [];
  return [
    error(
      'TOO_MANY_REQUESTS',
      'load.stages',
      `All stages together send ${formatCount(requests)} requests.`,
      `The limit of a run is ${formatCount(MAX_REQUESTS)}. Plan fewer, or several runs.`,
    ),
  ];
}
