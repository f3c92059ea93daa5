import { requestsOnAverage } from '#core/work/journey/flow/takings.ts';
import { meanPauseSeconds, pausesOfJourney } from '#core/work/journey/flow/pauses.ts';
import { levelOf, maxInFlightOf, secondsOf } from '#core/work/load/stages.ts';
import { goodEnoughSeconds } from '#core/work/load/planned.ts';
import type { ArrivalsLoad, ArrivalsStage } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** VUs that are there for a stage from the beginning. */
export interface ArrivalUsers {
  readonly count: number;
  /** How long its answers may take on average before all of them are busy; null where that never happens. */
  readonly answerSeconds: number | null;
}

/** What is reckoned with where nothing is said: some times as long as a server that bears thousands a second takes for an answer. */
const LIKELY_SECONDS = 0.2;
/** Where 19 of 20 are within a limit, the mean is about a third of it (exponential times), and half of it with a margin. */
const LIKELY_SHARE = 0.5;
/** Up to so many VUs, a second is reckoned with, or the limit itself. */
const USUAL_USERS = 1_000;
export const USUAL_SECONDS = 1;
/** So many VUs take k6 a moment, and little memory: there may be as many as when every answer takes until its time limit. */
const CHEAP_USERS = 200;
/** k6 1.8 takes about 0.25 MB for a VU of a short script, and makes about 2,000 a second. Each keeps a connection of its own, and they are asked in turn. */
const MOST_USERS = 5_000;

/** How long k6 waits for answers when the time of a scenario is over. */
export function gracefulSeconds({ drainSeconds, timeoutSeconds }: Plan): number {
  return drainSeconds ?? timeoutSeconds;
}

/**
 * VUs that are there from the beginning, stage by stage, since k6 drops an arrival for each that it has to make while a load goes on: as many as are on
 * their way (Little) when answers take as long as they likely do, with a margin, and polls go on to their ends. Small loads get more: as many as when answers
 * take a second, or as long as their limits allow, or until they are given up, as those of a server do that does not keep up. Those who pause are needed whatever answers take;
 * beside them, stages that are there at the same time share the most that k6 bears. Never more than arrivals, or than may be on their way.
 */
export function arrivalUsers(plan: Plan, load: ArrivalsLoad, arrivals: readonly number[]): ArrivalUsers[] {
  const wishes = load.stages.map((stage, index) => wishOf(plan, load, stage, index, arrivals[index] ?? 1));
  const ends = endsOf(load);
  const isTogether = (one: number, other: number): boolean =>
    one === other || beginOf(ends, Math.max(one, other)) < (ends[Math.min(one, other)] ?? 0) + gracefulSeconds(plan);
  return wishes.map((wish, index) => {
    const { count, pausing } = wish;
    const together = wishes.reduce((sum, each, other) => sum + (isTogether(index, other) ? each.count - each.pausing : 0), 0);
    const share = Math.min(1, MOST_USERS / Math.max(1, together));
    const given = Math.max(1, Math.min(count, CHEAP_USERS), Math.ceil(pausing + (count - pausing) * share));
    return { count: given, answerSeconds: answerSecondsOf(wish, given) };
  });
}

interface Wish {
  readonly count: number;
  /** Those of them who pause, at a time. */
  readonly pausing: number;
  /** There can never be more at a time. */
  readonly most: number;
  /** Journeys a second, how many requests each makes, and how long it takes beside its answers. */
  readonly perSecond: number;
  readonly requests: number;
  readonly restSeconds: number;
}

/** How long answers may take on average until all VUs are busy; null where there can never be more on their way. */
function answerSecondsOf({ most, perSecond, requests, restSeconds }: Wish, given: number): number | null {
  return given >= most ? null : Math.max(0, (given / perSecond - restSeconds) / requests);
}

function wishOf(plan: Plan, load: ArrivalsLoad, stage: ArrivalsStage, index: number, arrivals: number): Wish {
  const perSecond = levelOf(stage).highest;
  const requests = requestsOnAverage(plan, index);
  const polls = plan.journey.reduce((sum, { poll }) => sum + (poll?.mostSeconds ?? 0), 0);
  const pauses = plan.journey.reduce((sum, { thinkTime }) => sum + meanPauseSeconds(thinkTime), pausesOfJourney(load.thinkTime, requests));
  const limit = goodEnoughSeconds(plan, index);
  /** When all answers of a journey together take so long. */
  const usersAt = (seconds: number): number => Math.ceil(perSecond * (seconds + polls + pauses));
  const wished = Math.max(
    usersAt(Math.max(LIKELY_SHARE * limit, LIKELY_SECONDS * requests)),
    Math.min(USUAL_USERS, usersAt(Math.max(limit, USUAL_SECONDS * requests))),
    Math.min(CHEAP_USERS, usersAt(plan.timeoutSeconds * requests)),
  );
  const most = Math.min(maxInFlightOf(load, stage), arrivals);
  const count = Math.min(most, wished);
  return { count, pausing: Math.min(count, perSecond * pauses), most, perSecond, requests, restSeconds: polls + pauses };
}

/** When each stage ends, in seconds. */
function endsOf({ stages }: ArrivalsLoad): number[] {
  let at = 0;
  return stages.map((stage) => (at += secondsOf(stage) ?? 0));
}

function beginOf(ends: readonly number[], stage: number): number {
  return ends[stage - 1] ?? 0;
}
