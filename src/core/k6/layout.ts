import { listRecordedRequests, type RecordedRequest } from '#core/plan/requests.ts';
import { secondsOf, startUpStage, countUncountedSeconds } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Start and end of the load of a stage, in seconds of the run. */
export interface StageTimes {
  /** Start; Infinity for a stage that has not started and follows a stage ended by requests. */
  readonly from: number;
  /** End; null if requests end the stage. */
  readonly to: number | null;
}

/** Maps k6 samples to the steps and stages of the plan. */
export class K6Layout {
  readonly plan: Plan;
  readonly requests: readonly RecordedRequest[];
  private readonly redirects: ReadonlyMap<number, number>;
  private readonly begins: number[];

  constructor(plan: Plan) {
    this.plan = plan;
    this.requests = listRecordedRequests(plan);
    this.redirects = new Map(
      this.requests.flatMap(({ step, isRedirect }, requestIndex): [number, number][] => (isRedirect ? [[step, requestIndex]] : [])),
    );
    let from = 0;
    this.begins = plan.load.stages.map((stage) => {
      const begin = from;
      from += secondsOf(stage) ?? Number.POSITIVE_INFINITY;
      return begin;
    });
  }

  /** Returns the position of a request by its tag (see `listRecordedRequests`); null for requests that a script makes for itself. */
  slotOf(tag: string): number | null {
    const requestIndex = /^\d+$/.test(tag) ? Number(tag) : -1;
    return this.requests[requestIndex] === undefined ? null : requestIndex;
  }

  /** Returns the request index of a step's redirects; that of the step itself if the plan does not separate them. */
  redirectSlot(step: number): number {
    return this.redirects.get(step) ?? step;
  }

  /**
   * Returns the stage number in windows for a start time: that of the tag, or else the latest stage that has started. Start-ups have stage
   * numbers of their own.
   */
  cellStage(tag: string, startSecond: number): number {
    const { length } = this.begins;
    const tagged = /^\d+$/.test(tag) ? Number(tag) : -1;
    if (tagged >= 0 && tagged < 2 * length) {
      this.sawStage(tagged % length, startSecond);
      return tagged;
    }
    const stage = this.stageAt(startSecond);
    return startSecond < this.countsFrom(stage) ? startUpStage(this.plan, stage) : stage;
  }

  /** Returns the stage of journeys that start at a second. */
  stageOf(tag: string, second: number): number {
    const stage = this.cellStage(tag, second);
    return stage % this.begins.length;
  }

  times(stage: number): StageTimes {
    const from = this.begins[stage] ?? 0;
    const found = this.plan.load.stages[stage];
    const seconds = found === undefined ? null : secondsOf(found);
    return { from, to: seconds === null ? null : from + seconds };
  }

  /** Returns the second from which a stage counts: see {@link countUncountedSeconds}. */
  countsFrom(stage: number): number {
    const found = this.plan.load.stages[stage];
    return (this.begins[stage] ?? 0) + (found === undefined ? 0 : countUncountedSeconds(found));
  }

  /** Returns the counted stage whose load runs at a second; null if there is none. */
  loadedAt(second: number): number | null {
    const stage = this.stageAt(second);
    const { to } = this.times(stage);
    return second < this.countsFrom(stage) || (to !== null && second >= to) ? null : stage;
  }

  /** Records the start of a stage. A stage after one that ends by requests starts with its own first request. */
  private sawStage(stage: number, second: number): void {
    if (this.begins[stage] === Number.POSITIVE_INFINITY) this.begins[stage] = second;
  }

  /** Returns the last started stage. */
  private stageAt(second: number): number {
    return Math.max(
      0,
      this.begins.findLastIndex((from) => from <= second),
    );
  }
}
