import { requestsOnAverage } from '#core/work/journey/flow/executions.ts';
import { meanPauseSeconds, pausesOfJourney } from '#core/work/journey/flow/pauses.ts';
import { levelOf, maxInFlightOf, secondsOf } from '#core/work/load/stages.ts';
import { secondsAtLimits } from '#core/work/load/planned.ts';
import type { ArrivalsLoad, ArrivalsStage } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** VUs that a stage preallocates. */
export interface ArrivalUsers {
  readonly count: number;
  /** Mean response time at which all VUs are busy; null if that cannot happen. */
  readonly responseSeconds: number | null;
}

/** Response time that is assumed without criteria, in seconds: several times that of a server with thousands of requests per second. */
const LIKELY_SECONDS = 0.2;
/**
 * Assumed mean response time as a share of the criterion's limit. If 95 % of exponentially distributed times are within a limit, their
 * mean is about a third of it, so 0.5 leaves a margin.
 */
const LIKELY_SHARE_OF_LIMIT = 0.5;
/** Maximum number of VUs for which the assumed response time is 1 s or the criterion's limit. */
const MAX_USUAL_USERS = 1_000;
export const USUAL_SECONDS = 1;
/** Maximum number of VUs that cost k6 little time and memory. Up to it, the VUs cover responses up to their time-out. */
const MAX_CHEAP_USERS = 200;
/**
 * Maximum number of VUs. k6 1.8 needs about 0.25 MB per VU of a short script, and creates about 2,000 VUs per second. Each VU has its own
 * connection, and k6 uses the VUs one after another.
 */
const MAX_USERS = 5_000;

/** Returns how long k6 waits for responses at the end of a scenario. */
export function gracefulSeconds({ drainSeconds, timeoutSeconds }: Plan): number {
  return drainSeconds ?? timeoutSeconds;
}

/**
 * Returns the preallocated VUs per stage. k6 drops an arrival for each VU that it must create during the load. By Little's law, the number
 * covers the likely response time with a margin, and polls to their end. Small loads get VUs for responses of one second, at the
 * criterion's limit, or at the time-out, as with an overloaded server. VUs that pause are always needed; concurrent stages share the
 * remaining maximum of k6. The number never exceeds the arrivals or the maximum in flight.
 */
export function arrivalUsers(plan: Plan, load: ArrivalsLoad, arrivals: readonly number[]): ArrivalUsers[] {
  const wishes = load.stages.map((stage, index) => writeWish(plan, load, stage, index, arrivals[index] ?? 1));
  const ends = listStageEnds(load);
  const isTogether = (one: number, other: number): boolean =>
    one === other || findStageStart(ends, Math.max(one, other)) < (ends[Math.min(one, other)] ?? 0) + gracefulSeconds(plan);
  return wishes.map((wish, index) => {
    const { count, pausing } = wish;
    const activeUsers = wishes.reduce((sum, each, other) => sum + (isTogether(index, other) ? each.count - each.pausing : 0), 0);
    const share = Math.min(1, MAX_USERS / Math.max(1, activeUsers));
    const userCount = Math.max(1, Math.min(count, MAX_CHEAP_USERS), Math.ceil(pausing + (count - pausing) * share));
    return { count: userCount, responseSeconds: computeResponseSeconds(wish, userCount) };
  });
}

interface WantedUsers {
  readonly count: number;
  /** Number of VUs that pause at the same time. */
  readonly pausing: number;
  /** Upper limit of concurrent VUs. */
  readonly most: number;
  /** Journeys per second. `requests`: requests per journey; `restSeconds`: time of a journey without its responses. */
  readonly perSecond: number;
  readonly requests: number;
  readonly restSeconds: number;
}

/** Returns the mean response time at which all VUs are busy; null if that cannot happen. */
function computeResponseSeconds({ most, perSecond, requests, restSeconds }: WantedUsers, userCount: number): number | null {
  return userCount >= most ? null : Math.max(0, (userCount / perSecond - restSeconds) / requests);
}

function writeWish(plan: Plan, load: ArrivalsLoad, stage: ArrivalsStage, index: number, arrivals: number): WantedUsers {
  const perSecond = levelOf(stage).highest;
  const requests = requestsOnAverage(plan, index);
  const polls = plan.journey.reduce((sum, { poll }) => sum + (poll?.mostSeconds ?? 0), 0);
  const pauses = plan.journey.reduce((sum, { thinkTime }) => sum + meanPauseSeconds(thinkTime), pausesOfJourney(load.thinkTime, requests));
  const limit = secondsAtLimits(plan, index);
  /** Returns the number of VUs that are needed if all responses of a journey together take this long. */
  const usersForRate = (seconds: number): number => Math.ceil(perSecond * (seconds + polls + pauses));
  const wished = Math.max(
    usersForRate(Math.max(LIKELY_SHARE_OF_LIMIT * limit, LIKELY_SECONDS * requests)),
    Math.min(MAX_USUAL_USERS, usersForRate(Math.max(limit, USUAL_SECONDS * requests))),
    Math.min(MAX_CHEAP_USERS, usersForRate(plan.timeoutSeconds * requests)),
  );
  const maxUsers = Math.min(maxInFlightOf(load, stage), arrivals);
  const count = Math.min(maxUsers, wished);
  return { count, pausing: Math.min(count, perSecond * pauses), most: maxUsers, perSecond, requests, restSeconds: polls + pauses };
}

/** Returns the end of each stage in seconds. */
function listStageEnds({ stages }: ArrivalsLoad): number[] {
  let at = 0;
  return stages.map((stage) => (at += secondsOf(stage) ?? 0));
}

function findStageStart(ends: readonly number[], stage: number): number {
  return ends[stage - 1] ?? 0;
}
