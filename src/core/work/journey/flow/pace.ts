import { meanPauseSeconds } from './pauses.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { takingsOf } from './takings.ts';

/** What a user does who goes from journey to journey, as if answers took no time. */
export interface Pace {
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
  return { pauseSeconds, requests, besidePerSecond };
}
