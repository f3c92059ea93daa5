import { pauseSeconds } from '#core/work/journey/flow/pauses.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';

/** More pauses than a user makes in a week. */
const PAUSES_OF_A_USER = 16_777_216;

/** Seconds of a pause that a step of the plan says, drawn for the pause number `pause` of a user: the same for any number of threads. */
export function drawPause(thinkTime: ThinkTime, seed: number, user: number, pause: number): number {
  return pauseSeconds(thinkTime, seed, user * PAUSES_OF_A_USER + (pause % PAUSES_OF_A_USER));
}
