import type { Plan } from '#core/plan/schema/plan.ts';
import { secondsOf } from '#core/work/load/stages.ts';

/** So many visits of each page are wanted in a stage: enough for a median with its interval, and for 75 % within a limit. */
const WANTED_IN_STAGE = 24;
/** From the beginning of a visit to that of the next, where the stage is short or long. */
const LEAST_SECONDS = 1;
const MOST_SECONDS = 15;
/** A stage that ends by its number of requests has no length that anybody knows. */
const UNKNOWN_SECONDS = 2;

/** How far apart visits begin in a stage, in seconds, whichever page is due. */
export function paceOf(plan: Plan, stage: number | null): number {
  const found = stage === null ? undefined : plan.load.stages[stage];
  const seconds = found === undefined ? null : secondsOf(found);
  const pages = Math.max(1, plan.watchPages?.length ?? 1);
  const apart = seconds === null ? UNKNOWN_SECONDS : seconds / (WANTED_IN_STAGE * pages);
  return Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, apart));
}

/** A second of the load, and whether its generator was overloaded then. */
interface LoadSecond {
  readonly second: number;
  readonly width: number;
  readonly isSick: boolean;
}

interface Span {
  readonly from: number;
  /** null: it is not over. */
  readonly to: number | null;
}

/** Visits step back after so many overloaded seconds of theirs. */
const TOLERATED = 3;
/** And only where the load is overloaded so many times as often with them as without. */
const TIMES_AS_OFTEN = 2;
/** So many seconds of each kind are compared. */
const COMPARED_SECONDS = 6;
const FIRST_PAUSE_SECONDS = 4;
/** With longer pauses there would be nothing to tell. */
const MOST_PAUSE_SECONDS = 16;

/** Tells visits to become fewer where they overload the computer that makes the load, and then to end. Only seconds are compared: with a visit and without. */
export class StepBack {
  private readonly withVisit = { seconds: 0, sick: 0 };
  private readonly without = { seconds: 0, sick: 0 };
  private pause: number | null = 0;

  /** The least pause between two visits by now; null where there is to be none any more. */
  get pauseSeconds(): number | null {
    return this.pause;
  }

  /** Counts a second of the load. True where the pause has changed, or visits are to end. */
  add({ second, width, isSick }: LoadSecond, visits: readonly Span[]): boolean {
    const isVisited = visits.some(({ from, to }) => from < second + width && (to ?? Number.POSITIVE_INFINITY) > second);
    const counts = isVisited ? this.withVisit : this.without;
    counts.seconds += width;
    if (isSick) counts.sick += width;
    if (this.isInnocent()) {
      this.pause = 0;
      return true;
    }
    if (this.pause === null || !isSick || !isVisited || this.withVisit.sick < TOLERATED) return false;
    const share = this.withVisit.sick / this.withVisit.seconds;
    const usual = this.without.seconds === 0 ? 0 : this.without.sick / this.without.seconds;
    if (share <= TIMES_AS_OFTEN * usual) return false;
    this.withVisit.seconds = this.withVisit.sick = 0;
    this.without.seconds = this.without.sick = 0;
    const longer = this.pause === 0 ? FIRST_PAUSE_SECONDS : 2 * this.pause;
    this.pause = longer > MOST_PAUSE_SECONDS ? null : longer;
    return true;
  }

  /** Whether pauses have shown that seconds without a visit are overloaded as often: then something else does it. */
  private isInnocent(): boolean {
    const { withVisit, without } = this;
    if (this.pause === null || this.pause === 0 || withVisit.seconds < COMPARED_SECONDS || without.seconds < COMPARED_SECONDS) return false;
    return withVisit.sick / withVisit.seconds <= TIMES_AS_OFTEN * (without.sick / without.seconds);
  }
}
