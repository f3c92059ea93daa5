import type { ThinkTime } from '#core/plan/schema/load.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { takingsOf } from './takings.ts';

/** Keeps the pauses of a seed apart from the arrivals of a Poisson schedule, which come from the same seed. */
const PAUSES = 0x7061_7573;

/**
 * Length in seconds of the pause number `index` of a run: from the seed and the number alone, so that it does not depend on who asks. Exponential
 * pauses by the inverse of their distribution, −mean · ln u.
 */
export function pauseSeconds(thinkTime: ThinkTime, seed: number, index: number): number {
  switch (thinkTime.kind) {
    case 'fixed':
      return thinkTime.seconds;
    case 'uniform':
      return thinkTime.fromSeconds + (thinkTime.toSeconds - thinkTime.fromSeconds) * uniformAt(seed ^ PAUSES, index);
    case 'exponential':
      return -thinkTime.meanSeconds * Math.log(uniformAt(seed ^ PAUSES, index));
    default:
      return thinkTime satisfies never;
  }
}

/** Seconds of a pause on average; 0 where nobody pauses. */
export function meanPauseSeconds(thinkTime: ThinkTime | undefined): number {
  if (thinkTime === undefined) return 0;
  switch (thinkTime.kind) {
    case 'fixed':
      return thinkTime.seconds;
    case 'uniform':
      return (thinkTime.fromSeconds + thinkTime.toSeconds) / 2;
    case 'exponential':
      return thinkTime.meanSeconds;
    default:
      return thinkTime satisfies never;
  }
}

/** Seconds between the first request of a journey and its last that go by in pauses, on average: one between each two steps. */
export function pausesOfJourney(thinkTime: ThinkTime | undefined, steps: number): number {
  return Math.max(0, steps - 1) * meanPauseSeconds(thinkTime);
}

/** What a user does who goes from journey to journey, as if answers took no time. */
interface Pace {
  /** Pauses of a journey on average; 0 where nobody pauses. */
  readonly pauseSeconds: number;
  /** Measured requests of a journey on average; redirects and polls are not foreseen. */
  readonly requests: number;
  /** Measured requests that the user sends each second beside the journeys. */
  readonly besidePerSecond: number;
}

/** Steps that are taken `once` belong to a user's first journey only, and are left out. */
export function paceOf(plan: Plan, stage: number): Pace {
  const { load, journey } = plan;
  let [pauseSeconds, requests, besidePerSecond] = [0, 0, 0];
  for (const { name, once, thinkTime, background, measured } of journey) {
    if (background !== undefined) besidePerSecond += 1 / background.everySeconds;
    else if (once !== true) {
      const { mean, least } = takingsOf(plan, name, stage);
      const times = mean ?? least;
      // Nobody pauses because of a side call.
      if (measured === false) continue;
      pauseSeconds += times * meanPauseSeconds(thinkTime ?? ('thinkTime' in load ? load.thinkTime : undefined));
      requests += times;
    }
  }
  const pace = load.model === 'users' ? (load.paceSeconds ?? 0) : 0;
  return { pauseSeconds: Math.max(pauseSeconds, pace), requests, besidePerSecond };
}
