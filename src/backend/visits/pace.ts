import type { Plan } from '#core/plan/schema/plan.ts';
import { secondsOf } from '#core/work/load/stages.ts';

/**
 * Number of visits to each page per stage. It is enough for a median with its confidence interval, and for a criterion of 75 % within a
 * time limit.
 */
const VISITS_PER_STAGE = 24;
/** Limits of the time between the starts of two visits, in seconds. */
const MIN_INTERVAL_SECONDS = 1;
const MAX_INTERVAL_SECONDS = 15;
/** Interval for a stage that ends after a number of requests, so that its duration is unknown. */
const DEFAULT_INTERVAL_SECONDS = 2;

/** Returns the time between the starts of visits in a stage, in seconds, over all pages. */
export function visitIntervalSeconds(plan: Plan, stage: number | null): number {
  const found = stage === null ? undefined : plan.load.stages[stage];
  const seconds = found === undefined ? null : secondsOf(found);
  const pages = Math.max(1, plan.watchPages?.length ?? 1);
  const apart = seconds === null ? DEFAULT_INTERVAL_SECONDS : seconds / (VISITS_PER_STAGE * pages);
  return Math.min(MAX_INTERVAL_SECONDS, Math.max(MIN_INTERVAL_SECONDS, apart));
}

/** Time before a bell in which no visit begins, in seconds: the next visit waits for the bell and sees the opening. */
const MIN_SECONDS_BEFORE_BELL = 3;

/**
 * Returns when the next visit begins, in seconds of the load: when it is due, or at a bell that rings before or shortly after that. A
 * visit cannot begin before `earliest`.
 */
export function nextVisitSecond({ bells = {} }: Pick<Plan, 'bells'>, { earliest, due }: { earliest: number; due: number }): number {
  const reachable = Object.values(bells).flatMap(({ atSeconds }) =>
    atSeconds >= earliest && atSeconds <= due + MIN_SECONDS_BEFORE_BELL ? [atSeconds] : [],
  );
  return reachable.length === 0 ? due : Math.min(...reachable);
}

/** A second of the load, and whether the load generator was overloaded in it. */
interface LoadSecond {
  readonly second: number;
  readonly width: number;
  readonly isOverloaded: boolean;
}

interface Span {
  readonly from: number;
  /** End of the visit; null while the visit has not ended. */
  readonly to: number | null;
}

/** Number of overloaded seconds with a visit after which the visits are reduced. */
const MAX_OVERLOADED_SECONDS = 3;
/**
 * Minimum ratio of overload with visits to overload without. Visits are reduced only if seconds with a visit are overloaded at least this
 * many times as often as seconds without a visit.
 */
const MIN_OVERLOAD_RATIO = 2;
/** Minimum number of seconds of each kind for a comparison. */
const COMPARED_SECONDS = 6;
const FIRST_PAUSE_SECONDS = 4;
/** Maximum pause between visits. Longer pauses leave too few visits for a result. */
const MAX_PAUSE_SECONDS = 16;

/**
 * Reduces visits, and finally ends them, if they overload the load generator. For this, it compares seconds with a visit to seconds
 * without.
 */
export class StepBack {
  private readonly withVisit = { seconds: 0, overloadedBy: 0 };
  private readonly without = { seconds: 0, overloadedBy: 0 };
  private pause: number | null = 0;

  /** Minimum pause between visits; null if the visits have ended. */
  get pauseSeconds(): number | null {
    return this.pause;
  }

  /** Counts a second of the load. Returns true if the pause changed or the visits ended. */
  add({ second, width, isOverloaded }: LoadSecond, visits: readonly Span[]): boolean {
    const isVisited = visits.some(({ from, to }) => from < second + width && (to ?? Number.POSITIVE_INFINITY) > second);
    const counts = isVisited ? this.withVisit : this.without;
    counts.seconds += width;
    if (isOverloaded) counts.overloadedBy += width;
    if (this.isUnrelated()) {
      this.pause = 0;
      return true;
    }
    if (this.pause === null || !isOverloaded || !isVisited || this.withVisit.overloadedBy < MAX_OVERLOADED_SECONDS) return false;
    const share = this.withVisit.overloadedBy / this.withVisit.seconds;
    const usual = this.without.seconds === 0 ? 0 : this.without.overloadedBy / this.without.seconds;
    if (share <= MIN_OVERLOAD_RATIO * usual) return false;
    this.withVisit.seconds = this.withVisit.overloadedBy = 0;
    this.without.seconds = this.without.overloadedBy = 0;
    const longer = this.pause === 0 ? FIRST_PAUSE_SECONDS : 2 * this.pause;
    this.pause = longer > MAX_PAUSE_SECONDS ? null : longer;
    return true;
  }

  /** Returns whether seconds without a visit are overloaded about as often, so that visits are not the cause. */
  private isUnrelated(): boolean {
    const { withVisit, without } = this;
    if (this.pause === null || this.pause === 0 || withVisit.seconds < COMPARED_SECONDS || without.seconds < COMPARED_SECONDS) return false;
    return withVisit.overloadedBy / withVisit.seconds <= MIN_OVERLOAD_RATIO * (without.overloadedBy / without.seconds);
  }
}
