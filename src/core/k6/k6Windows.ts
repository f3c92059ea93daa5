import { firstStepIndex } from '#core/work/journey/flow/executions.ts';
import type { RecordedRequest } from '#core/plan/requests.ts';
import { maxInFlightOf } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Cell, Window } from '#core/measurement/window.ts';
import { findOrAddCell } from '#core/measurement/windowFold.ts';
import { K6Layout, type StageTimes } from './layout.ts';
import { OpenWindows } from './openWindows.ts';
import { recordTime, RequestCounts } from './requestCounts.ts';
import {
  JOURNEY_BEGAN_METRIC,
  JOURNEY_BROKEN_METRIC,
  type K6Listener,
  type K6Point,
  type K6Request,
  LOAD_BEGAN_METRIC,
} from './samples.ts';
import { VirtualUsers } from './virtualUsers.ts';

/**
 * Number of seconds for which a second stays open for requests that started in it, because k6 reports a request at its end. A slower
 * request counts in the oldest open second: later than its start, but never lost.
 */
export const OPEN_SECONDS = 3;

/** The metrics of k6 that are counted. */
const COUNTED_METRICS: ReadonlySet<string> = new Set([
  JOURNEY_BEGAN_METRIC,
  JOURNEY_BROKEN_METRIC,
  'iterations',
  'dropped_iterations',
  'checks',
  'data_received',
  'data_sent',
  'page_duration',
  'incomplete_pages',
]);

/**
 * Converts the samples of one k6 process to windows like those of the other engines. Leaves out what k6 does not report (docs/k6.md):
 * scheduled starts, bytes and lengths of bodies, bytes by step, and requests in flight when k6 was interrupted.
 */
export class K6Windows implements K6Listener {
  private readonly plan: Plan;
  private readonly layout: K6Layout;
  private readonly users = new VirtualUsers();
  private readonly windows: OpenWindows;
  private readonly requests: RequestCounts;
  /** Samples received before the start of the run was known. */
  private early: { readonly atUs: number; readonly count: () => void }[] = [];
  private readonly firstStep: number;
  private mostUsers: number | null = null;
  private readonly settled = { started: 0, ended: 0 };

  constructor(plan: Plan) {
    this.plan = plan;
    this.layout = new K6Layout(plan);
    this.windows = new OpenWindows(plan, this.layout);
    this.requests = new RequestCounts(plan, this.layout, this.users, this.windows);
    this.firstStep = firstStepIndex(plan);
  }

  /** Unix time of second 0 in microseconds; null until k6 has started a journey. */
  get beganUs(): number | null {
    return this.windows.beganUs;
  }

  get requestKinds(): readonly RecordedRequest[] {
    return this.layout.requests;
  }

  /** End of the last request or journey, in seconds of the run. */
  get lastSecond(): number {
    return this.windows.lastSecond;
  }

  /** Number of requests that a script makes for itself. They belong to no step and to no result. */
  get foreignRequests(): number {
    return this.requests.foreignRequests;
  }

  /** Number of journeys that started and neither ended nor were abandoned. */
  get running(): number {
    return Math.max(0, this.settled.started - this.settled.ended);
  }

  times(stage: number): StageTimes {
    return { from: this.layout.countsFrom(stage), to: this.layout.times(stage).to };
  }

  takeRequest(request: K6Request): void {
    this.whenBegun(request.endUs, () => this.requests.take(request));
  }

  takePoint(point: K6Point): void {
    if (point.metric === 'vus_max') this.mostUsers = point.value;
    if (point.metric === LOAD_BEGAN_METRIC && this.beganUs === null) this.beginAt(point.value * 1_000);
    if (COUNTED_METRICS.has(point.metric)) this.whenBegun(point.atUs, () => this.point(point));
  }

  /** Returns the windows of all closed seconds, in order and without gaps. */
  takeUntil(nowUs: number): Window[] {
    if (this.beganUs === null) return [];
    this.requests.settleBefore(nowUs - OPEN_SECONDS * 1_000_000);
    return this.windows.takeBefore(Math.floor(this.windows.secondOf(nowUs)) - OPEN_SECONDS);
  }

  /** Returns the remaining windows after k6 has ended. */
  takeAll(): Window[] {
    // Even if no journey started, k6 may have dropped some.
    const [first] = this.early;
    if (this.beganUs === null && first !== undefined) this.beginAt(first.atUs);
    this.requests.settleBefore(Number.POSITIVE_INFINITY);
    return this.windows.takeAll();
  }

  /** Delays counting until the start of the run is known. */
  private whenBegun(atUs: number, count: () => void): void {
    if (this.beganUs === null) this.early.push({ atUs, count });
    else count();
  }

  private beginAt(originUs: number): void {
    this.windows.begin(originUs);
    const waiting = this.early;
    this.early = [];
    for (const { count } of waiting) count();
  }

  private point(point: K6Point): void {
    const { metric, atUs, value } = point;
    switch (metric) {
      case JOURNEY_BEGAN_METRIC:
        this.settled.started += value;
        this.windowAt(atUs).journeys.started += value;
        this.journeyCell(point).journeysStarted += value;
        return;
      case JOURNEY_BROKEN_METRIC:
        this.users.of(point.vu).gaveUp = true;
        return;
      case 'iterations':
        this.journeyEnded(point);
        return;
      case 'dropped_iterations':
        this.dropped(point);
        return;
      case 'checks':
        this.requests.takeCheck(point);
        return;
      case 'data_received':
      case 'data_sent':
        this.bytes(point);
        return;
      case 'page_duration':
        this.page(point, value * 1_000);
        return;
      case 'incomplete_pages':
        // k6 reports times only for complete pages, so the time of this page is counted from its first request.
        if (value > 0) this.pageFailed(point);
        return;
      default:
        return;
    }
  }

  private page(point: K6Point, tookUs: number): void {
    const requestIndex = this.layout.slotOf(point.step);
    if (requestIndex === null) return;
    recordTime(this.pageCell(point, requestIndex, tookUs), 'page', tookUs);
    const loaded = this.windows.loadedAt(this.windows.secondOf(point.atUs), requestIndex);
    if (loaded !== null) loaded.pages += 1;
  }

  private pageFailed(point: K6Point): void {
    const requestIndex = this.layout.slotOf(point.step);
    const { pageBeganUs } = this.users.of(point.vu);
    if (requestIndex === null || pageBeganUs === null) return;
    const tookUs = point.atUs - pageBeganUs;
    recordTime(this.pageCell(point, requestIndex, tookUs), 'pageFailed', tookUs);
  }

  private pageCell({ atUs, stage }: K6Point, requestIndex: number, tookUs: number): Cell {
    return findOrAddCell(this.windowAt(atUs), this.layout.cellStage(stage, this.windows.secondOf(atUs - tookUs)), requestIndex);
  }

  private journeyEnded({ vu, atUs, value }: K6Point): void {
    const user = this.users.of(vu);
    this.requests.settle(vu);
    this.settled.ended += value;
    this.windows.sawEnd(atUs);
    const { journeys } = this.windowAt(atUs);
    if (user.gaveUp) journeys.abandoned += value;
    else journeys.finished += value;
    user.gaveUp = false;
    user.redirectedStep = null;
  }

  /**
   * Counts a journey that k6 dropped because no virtual user was free. If all allowed users existed, the target was too slow. If not, k6
   * had not created enough users.
   */
  private dropped(point: K6Point): void {
    const { load } = this.plan;
    const { journeys } = this.windowAt(point.atUs);
    const cell = this.journeyCell(point);
    const stage = load.model === 'arrivals' ? load.stages[cell.stage] : undefined;
    const allowed = load.model === 'arrivals' && stage !== undefined ? maxInFlightOf(load, stage) : 0;
    if (this.mostUsers !== null && this.mostUsers >= allowed) {
      journeys.notStartedTarget += point.value;
      cell.notStartedTarget += point.value;
    } else {
      journeys.notStartedGenerator += point.value;
      cell.notStartedGenerator += point.value;
    }
  }

  /** Adds the bytes of a journey at the step that counts journeys, because k6 does not split them by step. */
  private bytes(point: K6Point): void {
    if (point.value <= 0) return;
    const cell = this.journeyCell(point);
    if (point.metric === 'data_sent') {
      cell.bytesSent += point.value;
      return;
    }
    cell.bytesReceived += point.value;
    const loaded = this.windows.loadedAt(this.windows.secondOf(point.atUs), cell.step);
    if (loaded !== null) loaded.bytesReceived += point.value;
  }

  /** Returns the cell that counts journeys for the stage and the second of a sample. */
  private journeyCell({ stage, atUs }: K6Point): Cell {
    const second = this.windows.secondOf(atUs);
    return findOrAddCell(this.windows.of(second), this.layout.stageOf(stage, second), this.firstStep);
  }

  private windowAt(atUs: number): Window {
    return this.windows.of(this.windows.secondOf(atUs));
  }
}
