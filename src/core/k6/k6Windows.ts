import { maxInFlightOf } from '../load/stages.ts';
import { EarliestStarts } from '../stats/early.ts';
import { newHistogram, record } from '../stats/histogram.ts';
import { noLoaded } from '../stats/loaded.ts';
import type { Cell, LoadedCount, SideCell, TimeKind, Window } from '../stats/window.ts';
import { cellOf, emptyWindow } from '../stats/windowFold.ts';
import { endedCount } from '../stats/cellFigures.ts';
import { firstStepOf, hasSideCalls } from '../journey/flow/parts.ts';
import type { RecordedRequest } from '../journey/requests.ts';
import type { Plan } from '../plan/schema.ts';
import { isExpectedStatus } from './expected.ts';
import { K6Layout, type StageTimes } from './layout.ts';
import { failureOf } from './outcomes.ts';
import { JOURNEY_BEGAN, JOURNEY_BROKEN, LOAD_BEGAN, type K6Listener, type K6Point, type K6Request } from './samples.ts';
import { VirtualUsers, type PendingAnswer } from './virtualUsers.ts';

/**
 * k6 reports a request when it has ended. So long a second is kept open for requests that began in it; one that takes longer is counted as begun in
 * the oldest second that is still open: later than it was, and never lost.
 */
export const OPEN_SECONDS = 3;

/** Names of the exported script's checks after which a journey does not go on. */
const ENDS_JOURNEY = /^(is not sent astray$|finds “|comes within )/;

/** Samples of other metrics tell nothing that is kept. */
const COUNTED: ReadonlySet<string> = new Set([
  JOURNEY_BEGAN,
  JOURNEY_BROKEN,
  'iterations',
  'dropped_iterations',
  'checks',
  'data_received',
  'data_sent',
  'page_duration',
  'incomplete_pages',
]);

/**
 * Makes windows, as the other engines make them, out of the samples of one k6. What k6 does not report is left out (docs/k6.md): when requests were to
 * start, the bytes and lengths of bodies, bytes by step, and what was still unanswered when k6 was interrupted.
 */
export class K6Windows implements K6Listener {
  private readonly plan: Plan;
  private readonly layout: K6Layout;
  private readonly users = new VirtualUsers();
  private readonly earliest = new Map<string, EarliestStarts>();
  private readonly open = new Map<number, Window>();
  /** Samples from before the first journey told when the run began. */
  private early: { readonly atUs: number; readonly count: () => void }[] = [];
  private readonly firstStep: number;
  private originUs: number | null = null;
  private nextSecond = 0;
  private inFlight = 0;
  private lastEndUs = 0;
  private mostUsers: number | null = null;
  private foreign = 0;
  private readonly settled = { started: 0, ended: 0 };

  constructor(plan: Plan) {
    this.plan = plan;
    this.layout = new K6Layout(plan);
    this.firstStep = firstStepOf(plan);
  }

  /** When second 0 of the run began, in microseconds since 1970; null as long as k6 has not begun a journey. */
  get beganUs(): number | null {
    return this.originUs;
  }

  get requestKinds(): readonly RecordedRequest[] {
    return this.layout.requests;
  }

  /** When the last request or journey ended, in seconds of the run. */
  get lastSecond(): number {
    return this.originUs === null ? 0 : Math.max(0, (this.lastEndUs - this.originUs) / 1_000_000);
  }

  /** Requests that carry the name of no step: a script made them for itself, and they are in no figure. */
  get foreignRequests(): number {
    return this.foreign;
  }

  /** Journeys that began and neither ended nor were given up. */
  get running(): number {
    return Math.max(0, this.settled.started - this.settled.ended);
  }

  times(stage: number): StageTimes {
    return { from: this.layout.countsFrom(stage), to: this.layout.times(stage).to };
  }

  takeRequest(request: K6Request): void {
    this.whenBegun(request.endUs, () => this.request(request));
  }

  takePoint(point: K6Point): void {
    if (point.metric === 'vus_max') this.mostUsers = point.value;
    if (point.metric === LOAD_BEGAN && this.originUs === null) this.beginAt(point.value * 1_000);
    if (COUNTED.has(point.metric)) this.whenBegun(point.atUs, () => this.point(point));
  }

  /** The windows of all seconds that are over for good at an instant, in order and without gaps. */
  takeUntil(nowUs: number): Window[] {
    if (this.originUs === null) return [];
    const until = Math.floor((nowUs - this.originUs) / 1_000_000) - OPEN_SECONDS;
    for (const pending of this.users.takePending(nowUs - OPEN_SECONDS * 1_000_000)) this.answered(pending);
    return this.publish(until);
  }

  /** The windows that are left, when k6 has ended. */
  takeAll(): Window[] {
    // Where no journey ever began there may still be some that were dropped.
    const [first] = this.early;
    if (this.originUs === null && first !== undefined) this.beginAt(first.atUs);
    for (const pending of this.users.takePending(Number.POSITIVE_INFINITY)) this.answered(pending);
    return this.publish(Math.max(-1, ...this.open.keys()) + 1);
  }

  /** Nothing is counted before it is known from when on: the samples that come before wait. */
  private whenBegun(atUs: number, count: () => void): void {
    if (this.originUs === null) this.early.push({ atUs, count });
    else count();
  }

  private beginAt(originUs: number): void {
    this.originUs = originUs;
    const waiting = this.early;
    this.early = [];
    for (const { count } of waiting) count();
  }

  private point(point: K6Point): void {
    const { metric, atUs, value } = point;
    switch (metric) {
      case JOURNEY_BEGAN:
        this.settled.started += value;
        this.windowAt(atUs).journeys.started += value;
        this.journeyCell(point).journeysStarted += value;
        return;
      case JOURNEY_BROKEN:
        this.users.of(point.vu).gaveUp = true;
        return;
      case 'iterations':
        this.journeyEnded(point);
        return;
      case 'dropped_iterations':
        this.dropped(point);
        return;
      case 'checks':
        this.checked(point);
        return;
      case 'data_received':
      case 'data_sent':
        this.bytes(point);
        return;
      case 'page_duration':
        this.page(point, value * 1_000);
        return;
      case 'incomplete_pages':
        // k6 gives only complete pages a time: this one has taken as long as it is since its first request began.
        if (value > 0) this.pageFailed(point);
        return;
      default:
        return;
    }
  }

  private page(point: K6Point, tookUs: number): void {
    const slot = this.layout.slotOf(point.step);
    if (slot === null) return;
    const second = this.secondOf(point.atUs);
    time(this.pageCell(point, slot, tookUs), 'page', tookUs);
    const loaded = this.loadedAt(second, slot);
    if (loaded !== null) loaded.pages += 1;
  }

  private pageFailed(point: K6Point): void {
    const slot = this.layout.slotOf(point.step);
    const { pageBeganUs } = this.users.of(point.vu);
    if (slot === null || pageBeganUs === null) return;
    const tookUs = point.atUs - pageBeganUs;
    time(this.pageCell(point, slot, tookUs), 'pageFailed', tookUs);
  }

  private pageCell({ atUs, stage }: K6Point, slot: number, tookUs: number): Cell {
    return cellOf(this.windowAt(atUs), this.layout.cellStage(stage, this.secondOf(atUs - tookUs)), slot);
  }

  private journeyEnded({ vu, atUs, value }: K6Point): void {
    const user = this.users.of(vu);
    this.settle(vu);
    this.settled.ended += value;
    this.lastEndUs = Math.max(this.lastEndUs, atUs);
    const { journeys } = this.windowAt(atUs);
    if (user.gaveUp) journeys.abandoned += value;
    else journeys.finished += value;
    user.gaveUp = false;
    user.redirectedStep = null;
  }

  /**
   * k6 drops a journey when no virtual user is free. Where all that the plan allows had been made, the target owes their answers; where k6 was still to make
   * more, it was k6 that was not ready.
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

  /** A check says something of the last answer of its virtual user: that it failed, and which was the first. */
  private checked({ vu, value, check, step }: K6Point): void {
    const user = this.users.of(vu);
    const { pending } = user;
    if (value !== 0 || pending === null) return;
    if (step !== '' && this.layout.slotOf(step) !== pending.slot) return;
    const name = this.plan.journey[this.layout.requests[pending.slot]?.step ?? 0]?.name ?? '';
    const failed = check.startsWith(`${name}: `) ? check.slice(name.length + 2) : check;
    if (ENDS_JOURNEY.test(failed)) user.gaveUp = true;
    pending.failedCheck ??= failed;
  }

  /** k6 counts bytes by journey: those of all of its steps stand at the one at which journeys are counted. */
  private bytes(point: K6Point): void {
    if (point.value <= 0) return;
    const second = this.secondOf(point.atUs);
    const cell = this.journeyCell(point);
    if (point.metric === 'data_sent') {
      cell.bytesSent += point.value;
      return;
    }
    cell.bytesReceived += point.value;
    const loaded = this.loadedAt(second, cell.step);
    if (loaded !== null) loaded.bytesReceived += point.value;
  }

  private request(request: K6Request): void {
    this.lastEndUs = Math.max(this.lastEndUs, request.endUs);
    this.settle(request.vu);
    const named = this.layout.slotOf(request.step);
    const step = named === null ? undefined : this.layout.requests[named]?.step;
    if (named === null || step === undefined) {
      this.foreign += 1;
      return;
    }
    const user = this.users.of(request.vu);
    const slot = named === step && user.redirectedStep === step ? this.layout.redirectOf(step) : named;
    user.redirectedStep = request.status >= 300 && request.status < 400 ? step : null;
    if (request.status === 0) user.gaveUp = true;
    if (slot === step && this.plan.journey[step]?.resources !== undefined) user.pageBeganUs = request.endUs - serviceUsOf(request);
    const expected = isExpectedStatus(this.plan, this.layout, slot, request.status);
    if (expected && this.isLookedAt(step, slot)) user.pending = { request, slot, failedCheck: null };
    else this.count(request, slot, request.status === 0 ? null : expected ? 'ok' : 'httpError', null);
  }

  /** Whether the script says something of an answer after it has come. */
  private isLookedAt(step: number, slot: number): boolean {
    const found = this.plan.journey[step];
    if (found === undefined || (this.layout.requests[slot]?.resource ?? null) !== null) return false;
    return found.checks.length > 0 || found.redirects !== undefined || found.poll !== undefined || (found.captures ?? []).length > 0;
  }

  /** The last answer of a virtual user is looked at no more. */
  private settle(vu: string): void {
    const user = this.users.of(vu);
    if (user.pending === null) return;
    const { pending } = user;
    user.pending = null;
    this.answered(pending);
  }

  private answered({ request, slot, failedCheck }: PendingAnswer): void {
    this.count(request, slot, failedCheck === null ? 'ok' : 'wrongBody', failedCheck);
  }

  private count(request: K6Request, slot: number, answer: 'ok' | 'httpError' | 'wrongBody' | null, failedCheck: string | null): void {
    const serviceUs = serviceUsOf(request);
    const startSecond = this.secondOf(request.endUs - serviceUs);
    const endSecond = this.secondOf(request.endUs);
    const failure = answer === null ? failureOf(request) : null;
    const end = this.windowOf(endSecond);
    if (this.layout.requests[slot]?.isMeasured === false) {
      const outcome = answer ?? failure?.outcome ?? 'otherError';
      countSideCall(end, slot, outcome, failure?.error ?? (failedCheck === null ? null : `${failedCheck}@check`));
      return;
    }
    const stage = this.layout.cellStage(request.stage, startSecond);
    cellOf(this.windowOf(Math.min(startSecond, endSecond)), stage, slot).started += 1;
    const cell = cellOf(end, stage, slot);
    if (request.connectingUs > 0) {
      cell.connectionsOpened += 1;
      time(cell, 'connect', request.connectingUs);
      if (request.tlsUs > 0) time(cell, 'tls', request.tlsUs);
    } else if (answer !== null) cell.requestsOnReusedConnection += 1;
    if (answer === null) {
      if (failure === null) return;
      cell.outcomes[failure.outcome] = (cell.outcomes[failure.outcome] ?? 0) + 1;
      cell.errors[failure.error] = (cell.errors[failure.error] ?? 0) + 1;
      return;
    }
    cell.outcomes[answer] = (cell.outcomes[answer] ?? 0) + 1;
    cell.statuses[request.status] = (cell.statuses[request.status] ?? 0) + 1;
    if (failedCheck !== null) cell.errors[`${failedCheck}@check`] = (cell.errors[`${failedCheck}@check`] ?? 0) + 1;
    time(cell, answer === 'ok' ? 'serviceOk' : 'serviceFailed', serviceUs);
    const statusClass = classOf(request.status);
    if (statusClass !== null) time(cell, statusClass, serviceUs);
    time(cell, 'firstByte', request.waitingUs);
    time(cell, 'transfer', request.receivingUs);
    this.keepEarly(cell, startSecond, serviceUs, answer === 'ok');
    const loaded = this.loadedAt(endSecond, slot);
    if (loaded === null) return;
    loaded.answered += 1;
    if (answer === 'ok') loaded.ok += 1;
  }

  private keepEarly(cell: Cell, startSecond: number, serviceUs: number, ok: boolean): void {
    const key = `${cell.stage}/${cell.step}`;
    let starts = this.earliest.get(key);
    if (starts === undefined) this.earliest.set(key, (starts = new EarliestStarts()));
    const startUs = Math.max(0, Math.round(startSecond * 1_000_000));
    if (starts.takes(startUs)) cell.early.push({ startUs, responseUs: Math.round(serviceUs), ok });
  }

  /** The cell at which journeys are counted, of the stage and the second of a sample. */
  private journeyCell({ stage, atUs }: K6Point): Cell {
    const second = this.secondOf(atUs);
    return cellOf(this.windowOf(second), this.layout.stageOf(stage, second), this.firstStep);
  }

  private loadedAt(second: number, step: number): LoadedCount | null {
    const stage = this.layout.loadedAt(second);
    if (stage === null) return null;
    const loaded = (this.windowOf(second).loaded ??= []);
    let count = loaded.find((known) => known.stage === stage && known.step === step);
    if (count === undefined) loaded.push((count = noLoaded(stage, step)));
    return count;
  }

  private secondOf(atUs: number): number {
    return (atUs - (this.originUs ?? 0)) / 1_000_000;
  }

  private windowAt(atUs: number): Window {
    return this.windowOf(this.secondOf(atUs));
  }

  /** The window of an instant, or the oldest that is still open. */
  private windowOf(atSecond: number): Window {
    const second = Math.max(this.nextSecond, Math.floor(atSecond));
    let window = this.open.get(second);
    if (window === undefined) {
      window = { ...emptyWindow(second, 1), loaded: [], ...(hasSideCalls(this.plan) ? { side: { cells: [], inFlight: 0 } } : {}) };
      this.open.set(second, window);
    }
    return window;
  }

  private publish(until: number): Window[] {
    const windows: Window[] = [];
    for (; this.nextSecond < until; this.nextSecond += 1) {
      const window = this.windowOf(this.nextSecond);
      this.open.delete(this.nextSecond);
      for (const cell of window.cells) this.inFlight += cell.started - endedCount(cell);
      window.inFlight = this.inFlight;
      windows.push(window);
    }
    return windows;
  }
}

/** Connecting is part of being blocked. */
function serviceUsOf({ blockedUs, sendingUs, waitingUs, receivingUs }: K6Request): number {
  return blockedUs + sendingUs + waitingUs + receivingUs;
}

function time(cell: Cell, kind: TimeKind, valueUs: number): void {
  record((cell.times[kind] ??= newHistogram()), valueUs);
}

function classOf(status: number): TimeKind | null {
  if (status < 200) return 'service1xx';
  if (status < 300) return null;
  if (status < 400) return 'service3xx';
  return status < 500 ? 'service4xx' : 'service5xx';
}

function countSideCall(window: Window, step: number, outcome: keyof SideCell['outcomes'], error: string | null): void {
  const side = (window.side ??= { cells: [], inFlight: 0 });
  let cell = side.cells.find((known) => known.step === step);
  if (cell === undefined) side.cells.push((cell = { step, started: 0, outcomes: {}, errors: {} }));
  cell.started += 1;
  cell.outcomes[outcome] = (cell.outcomes[outcome] ?? 0) + 1;
  if (error !== null) cell.errors[error] = (cell.errors[error] ?? 0) + 1;
}
