import { amountBefore } from '#core/work/load/rateCurve.ts';
import { meanPauseSeconds, pausesOfJourney } from '#core/work/journey/flow/pauses.ts';
import { scheduleOf } from '#core/work/load/schedule.ts';
import { levelOf, secondsOf } from '#core/work/load/stages.ts';
import { requestsOnAverage } from '#core/work/journey/flow/takings.ts';
import { maxInFlightOf } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { allTargets } from '#core/plan/targets.ts';

/** A server that connections go to. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** Who closes a connection first keeps its port in TIME_WAIT. */
export type ClosesFirst = 'server' | 'generator' | 'not known';

/** One answer of the target, from a request that was sent to find this out. */
export interface SeenAnswer {
  readonly bytes: number;
  readonly seconds: number;
  readonly closesFirst: ClosesFirst;
}

/** What a plan asks of the machines that take part. */
export interface PlanLoad {
  readonly destinations: readonly Destination[];
  /** Most connections that are open at once; of a rate, how many may be. */
  readonly connections: number;
  /** Addresses of the generator that connections go out from; null: the system chooses one. */
  readonly sources: readonly string[] | null;
  /** False where connections go to a Unix socket. */
  readonly overNetwork: boolean;
  /** Connections are used as long as the server lets them. */
  readonly keepsConnections: boolean;
  readonly closesFirst: ClosesFirst;
  /** New connections until a second of the load, of all destinations together; null where nothing says. */
  readonly opened: ((second: number) => number) | null;
  /** Requests until a second of the load; null where nothing says. */
  readonly requested: ((second: number) => number) | null;
  /** The most requests in any second; null where nothing says. */
  readonly requestsPerSecond: number | null;
  readonly seconds: number | null;
  /** Of one answer, its head included; null when none was seen. */
  readonly answerBytes: number | null;
  readonly answerSeconds: number | null;
}

/** What `plan` will ask for, as far as the plan and one answer tell. */
export function planLoad(plan: Plan, seen: SeenAnswer | null): PlanLoad {
  const destinations = destinationsOf(plan);
  const requested = requestsUntil(plan, seen);
  const { reuse, socketPath, localAddresses } = plan.connections;
  const seconds = secondsOfPlan(plan);
  return {
    destinations,
    connections: mostConnections(plan),
    sources: localAddresses ?? null,
    overNetwork: socketPath === undefined,
    keepsConnections: reuse === 'always',
    // A visitor who leaves hangs up on a server that would have kept the connection; asked to close, most servers do it themselves.
    closesFirst: seen?.closesFirst ?? (reuse === 'journey' ? 'generator' : 'not known'),
    opened: reuse === 'always' ? null : reuse === 'never' ? requested : journeysUntil(plan, seen),
    requested,
    requestsPerSecond: requested === null || seconds === null ? null : highestRate(requested, seconds),
    seconds,
    answerBytes: seen?.bytes ?? null,
    answerSeconds: seen?.seconds ?? null,
  };
}

/** Connections that a plan may hold open at the same time: of a rate it is known only how many at most. */
export function mostConnections({ load }: Plan): number {
  if (load.model === 'arrivals') return Math.max(...load.stages.map((stage) => maxInFlightOf(load, stage)));
  return Math.max(...load.stages.map((stage) => levelOf(stage).highest));
}

function destinationsOf(plan: Plan): Destination[] {
  const found = new Map<string, Destination>();
  for (const { url } of allTargets(plan)) {
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

/** Stages of one length and rate, one after another, summed. Past its stages nothing is added. */
function steady(stages: readonly { readonly seconds: number; readonly perSecond: number }[]): (second: number) => number {
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

function requestsUntil(plan: Plan, seen: SeenAnswer | null): Amount {
  const schedule = scheduleOf(plan);
  if (schedule !== null) {
    const each = Math.max(...plan.load.stages.map((_, stage) => requestsOnAverage(plan, stage)));
    return (second) => amountBefore(schedule.curve, second) * each;
  }
  return steadyRate(plan, seen, (requests) => requests);
}

function journeysUntil(plan: Plan, seen: SeenAnswer | null): Amount {
  const schedule = scheduleOf(plan);
  if (schedule !== null) return (second) => amountBefore(schedule.curve, second);
  return steadyRate(plan, seen, () => 1);
}

/**
 * What connections or users can ask for at most: each begins its next journey when the last has ended, after its pauses. Needs the time of an
 * answer, unless there are pauses.
 */
function steadyRate({ load, ...plan }: Plan, seen: SeenAnswer | null, perJourney: (requests: number) => number): Amount {
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
  return steady(stages);
}

function highestRate(amount: (second: number) => number, seconds: number): number {
  let highest = 0;
  const step = Math.max(1, seconds / 3_600);
  for (let second = 0; second < seconds; second += step) {
    const until = Math.min(seconds, second + step);
    highest = Math.max(highest, (amount(until) - amount(second)) / (until - second));
  }
  return highest;
}
