import { stepsPerJourney } from '#core/work/journey/flow/executions.ts';
import { arrivalsByStage } from '#core/work/load/arrivals.ts';
import { findPlannedJourneys } from '#core/work/load/planned.ts';
import { linesOf, rateCurve, type RateLine } from '#core/work/load/rateCurve.ts';
import { listLegs, maxInFlightOf, secondsOf, startUpStage } from '#core/work/load/stages.ts';
import type { ArrivalsLoad, ConnectionsStage, UsersLoad } from '#core/plan/schema/load.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { uniqueIdentifier, type JavaScriptObject } from './javaScript.ts';
import { arrivalUsers, gracefulSeconds } from './arrivalUsers.ts';
import { duration, toWholeRates } from './rates.ts';

/** A part of the load with its own executor. */
export interface Scenario {
  readonly name: string;
  /** Stages of the plan that the scenario covers. */
  readonly stages: readonly number[];
  readonly executor: JavaScriptObject;
  /** Stage tag of all requests of the scenario; null if the tag changes within the scenario. */
  readonly stage: number | null;
  /** Start of the scenario in seconds from the start of the load. Its end is null if a number of journeys ends it. */
  readonly begins: number;
  readonly ends: number | null;
  /** Number of the scenario's first arrival. */
  readonly first: number;
  /** Concurrent users; 1 for arrivals, which are numbered consecutively. */
  readonly users: number;
  /** Mean response time of arrivals at which all preallocated VUs are busy; null if that cannot happen or does not apply. */
  readonly responseSeconds: number | null;
  /** Stages by journey number, if the number determines the stage. */
  readonly journeys: readonly { readonly until: number; readonly stage: number }[];
}

/** End of a stage, in seconds of the whole load. */
export interface StageEnd {
  readonly until: number;
  /** Stage number as in windows; start-ups have their own numbers. */
  readonly stage: number;
}

export interface K6Load {
  readonly scenarios: readonly Scenario[];
  /** Ends of the stages; empty if each scenario is one stage. */
  readonly stageEnds: readonly StageEnd[];
}

/** Explains why k6 cannot run a load. */
export class UnsupportedByK6Error extends Error {}

/** Converts the load of a plan to k6 scenarios. Throws {@link UnsupportedByK6Error}. */
export function k6Load(plan: Plan): K6Load {
  switch (plan.load.model) {
    case 'connections':
      return { scenarios: connectionScenarios(plan, plan.load.stages), stageEnds: [] };
    case 'users':
      return usersLoad(plan, plan.load);
    case 'arrivals':
      return arrivalsLoad(plan, plan.load);
    default:
      return plan.load satisfies never;
  }
}

/** Returns the time that k6 waits for responses at the end of a scenario. */
function gracefulStopCode(plan: Plan): string {
  return duration(gracefulSeconds(plan));
}

function connectionScenarios(plan: Plan, stages: readonly ConnectionsStage[]): Scenario[] {
  const names = new Set<string>();
  const scenarios: Scenario[] = [];
  let begins: number | null = 0;
  for (let index = 0; index < stages.length; index += 1) {
    const stage = stages[index];
    if (stage === undefined) continue;
    if (begins === null)
      throw new UnsupportedByK6Error(
        `“${stageName(plan, index)}” begins when the previous stage has sent its requests. k6 starts scenarios only at fixed times.`,
      );
    const { connections, seconds } = stage;
    const name = scenarioName(plan, index, names);
    const common = { begins, first: 0, users: connections, responseSeconds: null };
    if (seconds !== undefined) {
      const executor = {
        executor: 'constant-vus',
        vus: connections,
        ...writeStartTime(begins),
        duration: duration(seconds),
        gracefulStop: gracefulStopCode(plan),
      };
      scenarios.push({ name, stages: [index], executor, stage: index, ends: begins + seconds, journeys: [], ...common });
      begins += seconds;
      continue;
    }
    const alike = followersAlike(stages, index);
    let until = 0;
    const journeys = alike.map((position) => ({ until: (until += findPlannedJourneys(plan, position) ?? 0), stage: position }));
    const executor = {
      executor: 'shared-iterations',
      vus: connections,
      iterations: until,
      ...writeStartTime(begins),
      maxDuration: duration(plan.safety.maxSeconds ?? 24 * 3_600),
      gracefulStop: gracefulStopCode(plan),
    };
    const [only] = alike.length === 1 ? alike : [];
    scenarios.push({
      name,
      stages: alike,
      executor,
      stage: only ?? null,
      ends: null,
      journeys: only === undefined ? journeys : [],
      ...common,
    });
    index += alike.length - 1;
    begins = null;
  }
  return scenarios;
}

/** Returns the stages from `from` on that have equal connections and end by requests; one scenario runs them all. */
function followersAlike(stages: readonly ConnectionsStage[], from: number): number[] {
  const wanted = stages[from]?.connections;
  const alike = [from];
  for (let index = from + 1; stages[index]?.requests !== undefined && stages[index]?.connections === wanted; index += 1) alike.push(index);
  return alike;
}

/** Returns the stages whose number of requests does not make a whole number of journeys. */
export function cutStages(plan: Plan): number[] {
  if (plan.load.model !== 'connections') return [];
  return plan.load.stages.flatMap(({ requests }, index) =>
    requests !== undefined && requests % stepsPerJourney(plan, index) !== 0 ? [index] : [],
  );
}

function usersLoad(plan: Plan, load: UsersLoad): K6Load {
  const names = new Set<string>();
  const stageEnds: StageEnd[] = [];
  let at = 0;
  const scenarios = listLegs(plan).flatMap((leg): Scenario[] => {
    const [index = 0] = leg;
    const stage = load.stages[index];
    if (stage === undefined) return [];
    const { startUpSeconds, restSeconds, startUpCounts } = stage;
    const begins = at + restSeconds;
    at = begins;
    const ramp: { target: number; duration: string }[] = [];
    for (const position of leg) {
      const each = load.stages[position];
      if (each === undefined) continue;
      at += each.startUpSeconds;
      if (each.startUpSeconds > 0)
        stageEnds.push({ until: at, stage: each.startUpCounts === true ? position : startUpStage(plan, position) });
      at += each.seconds;
      stageEnds.push({ until: at, stage: position });
      ramp.push(...[each.startUpSeconds, each.seconds].map((seconds) => ({ target: each.users, duration: duration(seconds) })));
    }
    const isPlain = startUpSeconds === 0 || (startUpCounts === true && leg.length === 1);
    const users = Math.max(...ramp.map(({ target }) => target));
    const changes = startUpSeconds > 0 || ramp.some(({ target }) => target !== users);
    const executor = changes
      ? {
          executor: 'ramping-vus',
          startVUs: startUpSeconds > 0 ? 0 : stage.users,
          ...writeStartTime(begins),
          stages: removeEmptySteps(ramp),
        }
      : { executor: 'constant-vus', vus: users, ...writeStartTime(begins), duration: duration(at - begins) };
    return [
      {
        name: scenarioName(plan, index, names),
        stages: leg,
        executor: { ...executor, gracefulStop: gracefulStopCode(plan) },
        stage: isPlain && leg.length === 1 ? index : null,
        begins,
        ends: at,
        first: 0,
        users,
        responseSeconds: null,
        journeys: [],
      },
    ];
  });
  return { scenarios, stageEnds: scenarios.every(({ stage }) => stage !== null) ? [] : stageEnds };
}

/** Removes ramp steps of zero length that do not change the target. */
function removeEmptySteps(ramp: readonly { readonly target: number; readonly duration: string }[]): JavaScriptObject[] {
  return ramp
    .filter(({ target, duration }, index) => duration !== '0s' || (index > 0 && ramp[index - 1]?.target !== target))
    .map((step) => ({ ...step }));
}

function arrivalsLoad(plan: Plan, load: ArrivalsLoad): K6Load {
  const names = new Set<string>();
  const stageEnds: StageEnd[] = [];
  const perStage = arrivalsByStage(rateCurve(load.stages), { kind: 'uniform' }, load.stages.length);
  const users = arrivalUsers(plan, load, perStage);
  let at = 0;
  let first = 0;
  const scenarios: Scenario[] = [];
  for (const [index, stage] of load.stages.entries()) {
    const seconds = secondsOf(stage) ?? 0;
    const lines = linesOf(stage);
    if (lines.some(({ fromPerSecond, toPerSecond }) => fromPerSecond > 0 || toPerSecond > 0)) {
      const name = scenarioName(plan, index, names);
      const limits = { preAllocatedVUs: users[index]?.count ?? 1, maxVUs: maxInFlightOf(load, stage) };
      const { begins, executor } = arrivalExecutor(lines, at, seconds);
      scenarios.push({
        name,
        stages: [index],
        executor: { ...executor, ...limits, gracefulStop: gracefulStopCode(plan) },
        stage: index,
        begins,
        ends: null,
        first,
        users: 1,
        responseSeconds: users[index]?.responseSeconds ?? null,
        journeys: [],
      });
    }
    at += seconds;
    first += perStage[index] ?? 0;
    stageEnds.push({ until: at, stage: index });
  }
  return { scenarios, stageEnds: load.stages.length === 1 ? [] : stageEnds };
}

/**
 * Returns the executor of arrivals. A constant rate starts half an interval late. Arrivals are then in the middle of their intervals, as in
 * Holdfast, and none falls on the end.
 */
function arrivalExecutor(lines: readonly RateLine[], at: number, seconds: number): { begins: number; executor: JavaScriptObject } {
  const [line] = lines;
  if (line !== undefined && lines.length === 1 && line.fromPerSecond === line.toPerSecond) {
    const { rates, unitSeconds } = toWholeRates([line.fromPerSecond], seconds);
    const half = Math.min(seconds / 2, 0.5 / line.fromPerSecond);
    if (seconds - half < MIN_DURATION_SECONDS) return buildShortExecutor(line.fromPerSecond, at, seconds, half);
    const begins = at + half;
    return {
      begins,
      executor: {
        executor: 'constant-arrival-rate',
        rate: rates[0] ?? 0,
        timeUnit: duration(unitSeconds),
        ...writeStartTime(begins),
        duration: duration(seconds - half),
      },
    };
  }
  const { rates, unitSeconds } = toWholeRates(lines.flatMap(({ fromPerSecond, toPerSecond }) => [fromPerSecond, toPerSecond]));
  const stages = lines.flatMap((each, position) => {
    const [from = 0, to = 0] = rates.slice(position * 2, position * 2 + 2);
    const before = position === 0 ? from : rates[position * 2 - 1];
    // A jump is a ramp of zero length.
    return [...(before === from ? [] : [{ target: from, duration: '0s' }]), { target: to, duration: duration(each.seconds) }];
  });
  return {
    begins: at,
    executor: {
      executor: 'ramping-arrival-rate',
      startRate: rates[0] ?? 0,
      timeUnit: duration(unitSeconds),
      ...writeStartTime(at),
      stages,
    },
  };
}

/** Minimum duration of an executor in k6; stages of a ramp may be shorter. */
const MIN_DURATION_SECONDS = 1;

/** Returns the executor for a time shorter than k6 allows: at twice the rate, the first arrival also comes after half an interval. */
function buildShortExecutor(perSecond: number, at: number, seconds: number, half: number): { begins: number; executor: JavaScriptObject } {
  const { rates, unitSeconds } = toWholeRates([perSecond], seconds);
  const rate = rates[0] ?? 0;
  const stages = [
    { target: 2 * rate, duration: duration(half) },
    { target: rate, duration: '0s' },
    { target: rate, duration: duration(seconds - half) },
  ];
  return {
    begins: at,
    executor: { executor: 'ramping-arrival-rate', startRate: 2 * rate, timeUnit: duration(unitSeconds), ...writeStartTime(at), stages },
  };
}

function writeStartTime(begins: number): { startTime?: string } {
  return begins === 0 ? {} : { startTime: duration(begins) };
}

/** Returns a scenario name, which may contain letters, digits, _ and -. */
function scenarioName(plan: Plan, index: number, taken: Set<string>): string {
  return uniqueIdentifier(plan.load.stages[index]?.name ?? 'load', taken, 'stage');
}
