import { recordedRequests, type RecordedRequest } from '#core/plan/requests.ts';
import { secondsOf, startUpStage, uncountedSecondsOf } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** When a stage begins and when its load ends, in seconds of the run. */
export interface StageTimes {
  /** Infinity for one that begins when the stage before it has sent its requests, as long as it has not. */
  readonly from: number;
  /** null where a number of requests ends it. */
  readonly to: number | null;
}

/** Where in the plan stands what k6's samples are about. */
export class K6Layout {
  readonly plan: Plan;
  readonly requests: readonly RecordedRequest[];
  private readonly redirects: ReadonlyMap<number, number>;
  private readonly begins: number[];

  constructor(plan: Plan) {
    this.plan = plan;
    this.requests = recordedRequests(plan);
    this.redirects = new Map(this.requests.flatMap(({ step, isRedirect }, slot): [number, number][] => (isRedirect ? [[step, slot]] : [])));
    let from = 0;
    this.begins = plan.load.stages.map((stage) => {
      const begin = from;
      from += secondsOf(stage) ?? Number.POSITIVE_INFINITY;
      return begin;
    });
  }

  /** The position of a kind of request (see `recordedRequests`) by its tag; null for one that a script makes for itself. */
  slotOf(tag: string): number | null {
    const slot = /^\d+$/.test(tag) ? Number(tag) : -1;
    return this.requests[slot] === undefined ? null : slot;
  }

  /** Under which number the requests are kept that an answer to a step sent on to; the step's own where the plan tells them not apart. */
  redirectOf(step: number): number {
    return this.redirects.get(step) ?? step;
  }

  /**
   * The number under which windows keep what began at a second: that of its tag, where it has one, else that of the stage which had begun by then. Start-ups have
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

  /** The stage whose journeys those are that begin at a second. */
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

  /** From when on a stage counts: see {@link uncountedSecondsOf}. */
  countsFrom(stage: number): number {
    const found = this.plan.load.stages[stage];
    return (this.begins[stage] ?? 0) + (found === undefined ? 0 : uncountedSecondsOf(found));
  }

  /** The stage that is loaded, and counts, at a second of the run; null where none is. */
  loadedAt(second: number): number | null {
    const stage = this.stageAt(second);
    const { to } = this.times(stage);
    return second < this.countsFrom(stage) || (to !== null && second >= to) ? null : stage;
  }

  /** A stage after one that a number of requests ends begins with its first request. */
  private sawStage(stage: number, second: number): void {
    if (this.begins[stage] === Number.POSITIVE_INFINITY) this.begins[stage] = second;
  }

  /** The last stage that has begun. */
  private stageAt(second: number): number {
    return Math.max(
      0,
      this.begins.findLastIndex((from) => from <= second),
    );
  }
}
