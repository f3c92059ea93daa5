import { amountBefore } from '#core/work/load/rateCurve.ts';
import { meanPauseSeconds, pausesOfJourney } from '#core/work/journey/flow/pauses.ts';
import { planSchedule } from '#core/work/load/arrivals.ts';
import { levelOf, maxInFlightOf, secondsOf } from '#core/work/load/stages.ts';
import { requestsOnAverage } from '#core/work/journey/flow/executions.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listTargets } from '#core/plan/url.ts';

export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** The side that closes a connection first and therefore keeps its port in TIME_WAIT. */
export type ClosesFirst = 'server' | 'generator' | 'not known';

/** A response of the target to a probe request. */
export interface SeenResponse {
  readonly bytes: number;
  readonly seconds: number;
  readonly closesFirst: ClosesFirst;
}

/** The load that a plan puts on the machines involved. */
export interface PlanLoad {
  readonly destinations: readonly Destination[];
  /** Maximum number of open connections; for arrivals, the maximum in flight. */
  readonly connections: number;
  /** Source addresses of the generator; null if the system chooses one. */
  readonly sources: readonly string[] | null;
  /** Whether connections use the network. False for a Unix socket. */
  readonly overNetwork: boolean;
  /** Whether connections stay open until the server closes them. */
  readonly keepsConnections: boolean;
  readonly closesFirst: ClosesFirst;
  /** Returns the total number of new connections to all destinations up to a second of the load; null if unknown. */
  readonly opened: ((second: number) => number) | null;
  /** Returns the total number of requests up to a second of the load; null if unknown. */
  readonly requested: ((second: number) => number) | null;
  /** Maximum number of requests in one second; null if unknown. */
  readonly requestsPerSecond: number | null;
  readonly seconds: number | null;
  /** Number of bytes of one response, including its headers; null if unknown. */
  readonly responseBytes: number | null;
  readonly responseSeconds: number | null;
}

/** Derives the load of `plan` from the plan and one response. */
export function planLoad(plan: Plan, seen: SeenResponse | null): PlanLoad {
  const destinations = listDestinations(plan);
  const requested = requestsByTime(plan, seen);
  const { reuse, socketPath, localAddresses } = plan.connections;
  const seconds = secondsOfPlan(plan);
  return {
    destinations,
    connections: maxConnections(plan),
    sources: localAddresses ?? null,
    overNetwork: socketPath === undefined,
    keepsConnections: reuse === 'always',
    // A user who leaves closes a connection that the server would have kept. If asked to close, most servers close the connection
    // themselves.
    closesFirst: seen?.closesFirst ?? (reuse === 'journey' ? 'generator' : 'not known'),
    opened: reuse === 'always' ? null : reuse === 'never' ? requested : journeysByTime(plan, seen),
    requested,
    requestsPerSecond: requested === null || seconds === null ? null : findHighestRate(requested, seconds),
    seconds,
    responseBytes: seen?.bytes ?? null,
    responseSeconds: seen?.seconds ?? null,
  };
}

export function maxConnections({ load }: Plan): number {
  if (load.model === 'arrivals') return Math.max(...load.stages.map((stage) => maxInFlightOf(load, stage)));
  return Math.max(...load.stages.map((stage) => levelOf(stage).highest));
}

function listDestinations(plan: Plan): Destination[] {
  const found = new Map<string, Destination>();
  for (const { url } of listTargets(plan)) {
    const { hostname, port, protocol, host } = new URL(url);
    found.set(host, { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) });
  }
  return [...found.values()];
}

function secondsOfPlan({ load }: Plan): number | null {
  let sum = 0;
  for (const stage of load.stages) {
    const seconds = secondsOf(stage);
    if (seconds === null) return null;
    sum += seconds;
  }
  return sum;
}

type Amount = ((second: number) => number) | null;

/** Returns the running total of stages with constant rates. After the last stage, the total stays constant. */
function constantRate(stages: readonly { readonly seconds: number; readonly perSecond: number }[]): (second: number) => number {
  return (second) => {
    let left = second;
    let sum = 0;
    for (const { seconds, perSecond } of stages) {
      if (left <= 0) break;
      sum += Math.min(left, seconds) * perSecond;
      left -= seconds;
    }
    return sum;
  };
}

function requestsByTime(plan: Plan, seen: SeenResponse | null): Amount {
  const schedule = planSchedule(plan);
  if (schedule !== null) {
    const each = Math.max(...plan.load.stages.map((_, stage) => requestsOnAverage(plan, stage)));
    return (second) => amountBefore(schedule.curve, second) * each;
  }
  return steadyRate(plan, seen, (requests) => requests);
}

function journeysByTime(plan: Plan, seen: SeenResponse | null): Amount {
  const schedule = planSchedule(plan);
  if (schedule !== null) return (second) => amountBefore(schedule.curve, second);
  return steadyRate(plan, seen, () => 1);
}

/**
 * Returns the running total of requests or journeys up to a second of the load, at the highest rate of its connections or users. Each
 * starts its next journey when the previous one and its pauses have ended. Returns null for arrivals, and if neither a response time nor
 * a pause is known.
 */
function steadyRate({ load, ...plan }: Plan, seen: SeenResponse | null, perJourney: (requests: number) => number): Amount {
  if (load.model === 'arrivals') return null;
  const thinkTime = 'thinkTime' in load ? load.thinkTime : undefined;
  const stages: { seconds: number; perSecond: number }[] = [];
  for (const [index, stage] of load.stages.entries()) {
    const requests = Math.max(1, requestsOnAverage({ ...plan, load }, index));
    const pauses = pausesOfJourney(thinkTime, requests) + meanPauseSeconds(thinkTime);
    const journeySeconds = pauses + requests * (seen?.seconds ?? 0);
    const seconds = secondsOf(stage);
    if (journeySeconds <= 0) return null;
    const perSecond = (levelOf(stage).highest / journeySeconds) * perJourney(requests);
    stages.push({
      perSecond,
      seconds: seconds ?? ('requests' in stage ? ((stage.requests ?? 0) * perJourney(requests)) / requests / perSecond : 0),
    });
  }
  return constantRate(stages);
}

function findHighestRate(amount: (second: number) => number, seconds: number): number {
  let highest = 0;
  const step = Math.max(1, seconds / 3_600);
  for (let second = 0; second < seconds; second += step) {
    const until = Math.min(seconds, second + step);
    highest = Math.max(highest, (amount(until) - amount(second)) / (until - second));
  }
  return highest;
}
