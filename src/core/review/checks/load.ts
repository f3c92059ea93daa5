import { countExpectedRequests, secondsAtLimits, journeysAtLimit, computePlannedSeconds } from '#core/work/load/planned.ts';
import { continuesPrevious, isSteady, levelOf, maxInFlightOf, requestsOf, usersAtStart } from '#core/work/load/stages.ts';
import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';
import { countFixedRequests, isSingleRequest, requestsPerJourney, countExecutions } from '#core/work/journey/flow/executions.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import { listJudgedCriteria, stageName } from '#core/plan/names.ts';
import {
  type ArrivalsStage,
  type ConnectionsStage,
  type Load,
  MAX_REQUESTS,
  MAX_STAGE_SECONDS,
  type UsersStage,
} from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { checkReached, UNIQUE_FIGURE_NAME_HINT, findRepeated, warning } from './make.ts';
import { pausesOfJourney } from '#core/work/journey/flow/pauses.ts';
import { MAX_POISSON_ARRIVALS, type Schedule, planSchedule } from '#core/work/load/arrivals.ts';

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
  const steps = countFixedRequests(plan, index);
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
  const repeatedNameIssues = findRepeated(plan.load.stages.map((_, index) => stageName(plan, index))).map((index) =>
    error('DUPLICATE_STAGE_NAME', `load.stages[${index}].name`, 'Two stages have the same name.', UNIQUE_FIGURE_NAME_HINT),
  );
  return [...checkThinkTime(plan), ...checkModel(plan, plan.load), ...checkLength(plan), ...checkAmount(plan), ...repeatedNameIssues];
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
  const seconds = computePlannedSeconds(plan);
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

/** Checks the number of requests of all stages together, because a worker's counters can hold no more than one stage's maximum. */
function checkAmount(plan: Plan): Issue[] {
  const statedRequests = plan.load.stages.reduce((sum, stage) => sum + (requestsOf(stage) ?? 0), 0);
  const requests = countExpectedRequests(plan) ?? statedRequests;
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

/** Number of users from which it is unrealistic that all start at the same time. */
const WAVE_USERS = 10;

function pausesNever({ thinkTime, measured }: Plan['journey'][number]): boolean {
  return measured !== false && thinkTime?.kind === 'fixed' && thinkTime.seconds === 0;
}

function checkUsers(plan: Plan, load: Extract<Load, { model: 'users' }>, stage: UsersStage, index: number): Issue[] {
  const path = `load.stages[${index}]`;
  const issues = [...checkReached(plan, stage.users, 'users', `${path}.users`), ...checkContinues(load, stage, path)];
  // Users of the previous stage have already performed steps with `once`.
  const stays = continuesPrevious(load, index);
  const done =
    stays && load.stages.slice(0, index).some((before) => before.users >= stage.users)
      ? plan.journey.filter(({ once }) => once === true).length
      : 0;
  const unpausing = plan.journey.reduce(
    (sum, step) => sum + (pausesNever(step) && step.once !== true ? countExecutions(plan, step.name, index).least : 0),
    0,
  );
  const wave = load.thinkTime?.kind === 'fixed' ? load.thinkTime.seconds : load.thinkTime === undefined ? (load.paceSeconds ?? 0) : 0;
  const pauses = pausesOfJourney(load.thinkTime, requestsPerJourney(plan, index).least - done - unpausing);
  const walkSeconds = stage.startUpSeconds + stage.seconds;
  if (pauses >= walkSeconds) {
    issues.push(
      warning(
        'STAGE_SHORTER_THAN_JOURNEY',
        `${path}.seconds`,
        `No user finishes the journey: its pauses alone take ${formatSeconds(pauses)}, and users run for ${formatSeconds(walkSeconds)}.`,
        'Make the stage several journeys long, or shorten the pauses.',
      ),
    );
  }
  if (stage.users - usersAtStart(load, index) >= WAVE_USERS && stage.startUpSeconds === 0 && wave > 0) {
    issues.push(
      warning(
        'USERS_IN_STEP',
        `${path}.startUpSeconds`,
        `All ${formatCount(stage.users - usersAtStart(load, index))} users start at the same instant and pause equally long, so requests come in waves.`,
        `To spread them over one pause, set startUpSeconds: ${wave}. Pauses of the kind uniform or exponential also spread them.`,
      ),
    );
  }
  return issues;
}

/** Checks that a stage with `continues` follows another stage without a rest. */
function checkContinues({ stages }: Extract<Load, { model: 'users' }>, stage: UsersStage, path: string): Issue[] {
  if (stage.continues !== true) return [];
  const before = stages[stages.indexOf(stage) - 1];
  if (before === undefined)
    return [
      error(
        'NOBODY_TO_CONTINUE',
        `${path}.continues`,
        'There is no previous stage whose users could continue.',
        'Remove continues from the first stage.',
      ),
    ];
  if (stage.restSeconds === 0) return [];
  return [
    error(
      'CONTINUES_AFTER_REST',
      `${path}.continues`,
      `The users of the previous stage cannot continue, because ${formatSeconds(stage.restSeconds)} without load come first.`,
      'Remove restSeconds, or continues.',
    ),
  ];
}

type ArrivalsLoad = Extract<Load, { model: 'arrivals' }>;

/** Checks the stages of the model `arrivals`. */
function checkArrivals(plan: Plan, load: ArrivalsLoad): Issue[] {
  const schedule = planSchedule(plan);
  if (schedule === null) return [];
  const total = schedule.perStage.reduce((sum, arrivals) => sum + arrivals, 0);
  if (total === 0) {
    return [
      error(
        'NOTHING_BEGINS',
        'load.stages',
        'No journey begins in this plan.',
        'Give at least one stage a rate with at least one arrival.',
      ),
    ];
  }
  return [
    ...checkPoisson(load, schedule),
    ...load.stages.flatMap((stage, index) => [
      // In a plan with bells, users who arrived earlier send requests in a stage without arrivals.
      ...(plan.bells === undefined ? checkEmpty(stage, schedule.perStage[index] ?? 0, `load.stages[${index}]`) : []),
      ...(schedule.perStage[index] ? checkReached(plan, schedule.perStage[index], 'arrivals', `load.stages[${index}]`) : []),
      ...checkCap(plan, load, stage, index),
      ...checkRamp(plan, stage, index),
    ]),
  ];
}

function checkPoisson({ spacing }: ArrivalsLoad, { curve }: Schedule): Issue[] {
  if (spacing !== 'poisson' || curve.amount <= MAX_POISSON_ARRIVALS) return [];
  return [
    error(
      'POISSON_TOO_LONG',
      'load.spacing',
      `Before the run, Holdfast would have to draw about ${formatCount(Math.round(curve.amount))} random arrival times.`,
      `Plan at most ${formatCount(MAX_POISSON_ARRIVALS)}, or space them evenly (spacing: uniform).`,
    ),
  ];
}

function checkEmpty(stage: ArrivalsStage, arrivals: number, path: string): Issue[] {
  if (stage.kind === 'pause' || arrivals > 0) return [];
  return [
    warning(
      'NOTHING_BEGINS_HERE',
      path,
      'Nothing begins in this stage, so it cannot be judged.',
      'Raise its rate or duration, or make it a pause (kind: pause).',
    ),
  ];
}

/**
 * Warns if the limit of concurrent journeys is too low even when every response just meets its criterion. Dropped arrivals would then
 * decide the result.
 */
function checkCap(plan: Plan, load: ArrivalsLoad, stage: ArrivalsStage, index: number): Issue[] {
  const { highest } = levelOf(stage);
  const cap = maxInFlightOf(load, stage);
  const needed = journeysAtLimit(plan, load, stage, index);
  if (needed <= cap) return [];
  const where = 'maxInFlight' in stage && stage.maxInFlight !== undefined ? `load.stages[${index}].maxInFlight` : 'load.maxInFlight';
  const conditionText = secondsAtLimits(plan, index) > 0 ? 'even if every response just meets its criterion' : 'from their pauses alone';
  return [
    warning(
      'CAP_TOO_LOW',
      where,
      `At ${formatNumber(highest)} arrivals a second, about ${formatCount(needed)} journeys are in progress at the same time ${conditionText}. The plan allows ${formatCount(cap)}.`,
      `Further arrivals are left out and count as failed. Allow at least ${formatCount(needed)}, or lower the rate.`,
    ),
  ];
}

function checkRamp(plan: Plan, stage: ArrivalsStage, index: number): Issue[] {
  if (!stage.counted || isSteady(levelOf(stage)) || listJudgedCriteria(plan, index).length === 0) return [];
  const { from, to, highest } = levelOf(stage);
  const rates =
    from === to ? `from ${formatNumber(from)} to ${formatNumber(highest)} and back` : `from ${formatNumber(from)} to ${formatNumber(to)}`;
  return [
    warning(
      'RAMP_JUDGED_AS_ONE',
      `load.stages[${index}]`,
      `“${stageName(plan, index)}” runs ${rates} arrivals a second and is judged as a whole. Good seconds at a low rate hide bad ones at a high rate.`,
      'Judge stages with one rate each. Set counted: false here, and add a constant stage at the rate that matters.',
    ),
  ];
}
