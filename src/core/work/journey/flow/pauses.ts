import type { ThinkTime } from '#core/plan/schema/load.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { countExecutions } from './executions.ts';

/** Constant that separates pauses from Poisson arrivals with the same seed. */
const PAUSE_SEED = 0x7061_7573;

/**
 * Returns the length of pause number `index` of a run in seconds. It depends only on seed and number, not on the thread. Exponential pauses
 * use the inverse distribution function: −mean · ln u.
 */
export function pauseSeconds(thinkTime: ThinkTime, seed: number, index: number): number {
  switch (thinkTime.kind) {
    case 'fixed':
      return thinkTime.seconds;
    case 'uniform':
      return thinkTime.fromSeconds + (thinkTime.toSeconds - thinkTime.fromSeconds) * uniformAt(seed ^ PAUSE_SEED, index);
    case 'exponential':
      return -thinkTime.meanSeconds * Math.log(uniformAt(seed ^ PAUSE_SEED, index));
    default:
      return thinkTime satisfies never;
  }
}

/** Returns the mean pause in seconds; 0 if there are no pauses. */
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

/** Returns the mean pause time of a journey in seconds, with one pause between every two steps. */
export function pausesOfJourney(thinkTime: ThinkTime | undefined, steps: number): number {
  return Math.max(0, steps - 1) * meanPauseSeconds(thinkTime);
}

/** Rates of a user who repeats the journey, if responses took no time. */
interface Pace {
  /** Mean pause time per journey in seconds; 0 if there are no pauses. */
  readonly pauseSeconds: number;
  /** Mean number of measured requests per journey, without redirects and polls. */
  readonly requests: number;
  /** Measured background requests per second. */
  readonly besidePerSecond: number;
}

/** Returns the pace of a user. Steps sent `once` belong only to the first journey and are left out. */
export function computePace(plan: Plan, stage: number): Pace {
  const { load, journey } = plan;
  let [pauseSeconds, requests, besidePerSecond] = [0, 0, 0];
  for (const { name, once, thinkTime, background, measured } of journey) {
    if (background !== undefined) besidePerSecond += 1 / background.everySeconds;
    else if (once !== true) {
      const { mean, least } = countExecutions(plan, name, stage);
      const times = mean ?? least;
      // Side calls cause no pause.
      if (measured === false) continue;
      pauseSeconds += times * meanPauseSeconds(thinkTime ?? ('thinkTime' in load ? load.thinkTime : undefined));
      requests += times;
    }
  }
  const pace = load.model === 'users' ? (load.paceSeconds ?? 0) : 0;
  return { pauseSeconds: Math.max(pauseSeconds, pace), requests, besidePerSecond };
}
