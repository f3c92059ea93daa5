import { addCount } from '#core/base/lists.ts';
import { CHECK, errorName } from '#core/base/errorNames.ts';
import { addName } from '#core/base/foreignNames.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { findOrAddCell, EarliestStarts } from '#core/measurement/windowFold.ts';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import type { Cell, SideCell, TimeKind, Window } from '#core/measurement/window.ts';
import { checkOfLabel, endsJourney } from '#core/export/k6/checkNames.ts';
import { toFailure, isExpectedStatus } from './outcomes.ts';
import type { K6Layout } from './layout.ts';
import type { OpenWindows } from './openWindows.ts';
import type { K6Point, K6Request } from './samples.ts';
import type { PendingResponse, VirtualUsers } from './virtualUsers.ts';

/** Counts the requests of one k6 process. A response is counted once its script has checked it. */
export class RequestCounts {
  private readonly plan: Plan;
  private readonly layout: K6Layout;
  private readonly users: VirtualUsers;
  private readonly windows: OpenWindows;
  private readonly earliest = new Map<string, EarliestStarts>();
  private foreign = 0;

  constructor(plan: Plan, layout: K6Layout, users: VirtualUsers, windows: OpenWindows) {
    this.plan = plan;
    this.layout = layout;
    this.users = users;
    this.windows = windows;
  }

  /** Number of requests that a script makes for itself. They belong to no step and to no result. */
  get foreignRequests(): number {
    return this.foreign;
  }

  take(request: K6Request): void {
    this.windows.sawEnd(request.endUs);
    this.settle(request.vu);
    const named = this.layout.slotOf(request.step);
    const step = named === null ? undefined : this.layout.requests[named]?.step;
    if (named === null || step === undefined) {
      this.foreign += 1;
      return;
    }
    const user = this.users.of(request.vu);
    const requestIndex = named === step && user.redirectedStep === step ? this.layout.redirectSlot(step) : named;
    user.redirectedStep = request.status >= 300 && request.status < 400 ? step : null;
    if (request.status === 0) user.gaveUp = true;
    if (requestIndex === step && this.plan.journey[step]?.resources !== undefined)
      user.pageBeganUs = request.endUs - computeServiceUs(request);
    const expected = isExpectedStatus(this.plan, this.layout, requestIndex, request.status);
    if (expected && this.isLookedAt(step, requestIndex)) user.pending = { request, requestIndex, failedCheck: null };
    else this.count(request, requestIndex, request.status === 0 ? null : expected ? 'ok' : 'httpError', null);
  }

  /** Records a failed check for the last response of its virtual user; the first failure counts. */
  takeCheck({ vu, value, check, step }: K6Point): void {
    const user = this.users.of(vu);
    const { pending } = user;
    if (value !== 0 || pending === null) return;
    if (step !== '' && this.layout.slotOf(step) !== pending.requestIndex) return;
    const name = this.plan.journey[this.layout.requests[pending.requestIndex]?.step ?? 0]?.name ?? '';
    const failed = checkOfLabel(name, check);
    if (endsJourney(failed)) user.gaveUp = true;
    pending.failedCheck ??= failed;
  }

  /** Settles the last response of a virtual user, after which no more checks follow. */
  settle(vu: string): void {
    const user = this.users.of(vu);
    if (user.pending === null) return;
    const { pending } = user;
    user.pending = null;
    this.responded(pending);
  }

  /** Settles all responses before a time. */
  settleBefore(atUs: number): void {
    for (const pending of this.users.takePending(atUs)) this.responded(pending);
  }

  /** Returns whether the script evaluates a response: checks it, follows it, polls for it or captures from it. */
  private isLookedAt(step: number, requestIndex: number): boolean {
    const found = this.plan.journey[step];
    if (found === undefined || (this.layout.requests[requestIndex]?.resource ?? null) !== null) return false;
    return found.checks.length > 0 || found.redirects !== undefined || found.poll !== undefined || (found.captures ?? []).length > 0;
  }

  private responded({ request, requestIndex, failedCheck }: PendingResponse): void {
    this.count(request, requestIndex, failedCheck === null ? 'ok' : 'wrongBody', failedCheck);
  }

  private count(
    request: K6Request,
    requestIndex: number,
    response: 'ok' | 'httpError' | 'wrongBody' | null,
    failedCheck: string | null,
  ): void {
    const serviceUs = computeServiceUs(request);
    const startSecond = this.windows.secondOf(request.endUs - serviceUs);
    const endSecond = this.windows.secondOf(request.endUs);
    const failure = response === null ? toFailure(request) : null;
    const end = this.windows.of(endSecond);
    if (this.layout.requests[requestIndex]?.isMeasured === false) {
      const outcome = response ?? failure?.outcome ?? 'otherError';
      countSideCall(end, requestIndex, outcome, failure?.error ?? (failedCheck === null ? null : errorName(failedCheck, CHECK)));
      return;
    }
    const stage = this.layout.cellStage(request.stage, startSecond);
    findOrAddCell(this.windows.of(Math.min(startSecond, endSecond)), stage, requestIndex).started += 1;
    const cell = findOrAddCell(end, stage, requestIndex);
    if (request.connectingUs > 0) {
      cell.connectionsOpened += 1;
      recordTime(cell, 'connect', request.connectingUs);
      if (request.tlsUs > 0) recordTime(cell, 'tls', request.tlsUs);
    } else if (response !== null) cell.requestsOnReusedConnection += 1;
    if (response === null) {
      if (failure === null) return;
      addCount(cell.outcomes, failure.outcome);
      addName(cell.errors, failure.error);
      return;
    }
    addCount(cell.outcomes, response);
    cell.statuses.set(request.status, (cell.statuses.get(request.status) ?? 0) + 1);
    if (failedCheck !== null) addName(cell.errors, errorName(failedCheck, CHECK));
    recordTime(cell, response === 'ok' ? 'serviceOk' : 'serviceFailed', serviceUs);
    const statusClass = toClass(request.status);
    if (statusClass !== null) recordTime(cell, statusClass, serviceUs);
    recordTime(cell, 'firstByte', request.waitingUs);
    recordTime(cell, 'transfer', request.receivingUs);
    this.keepEarly(cell, startSecond, serviceUs, response === 'ok');
    const loaded = this.windows.loadedAt(endSecond, requestIndex);
    if (loaded === null) return;
    loaded.responded += 1;
    if (response === 'ok') loaded.ok += 1;
  }

  private keepEarly(cell: Cell, startSecond: number, serviceUs: number, ok: boolean): void {
    const key = `${cell.stage}/${cell.step}`;
    let starts = this.earliest.get(key);
    if (starts === undefined) this.earliest.set(key, (starts = new EarliestStarts()));
    const startUs = Math.max(0, Math.round(startSecond * 1_000_000));
    if (starts.takes(startUs)) cell.early.push({ startUs, responseUs: Math.round(serviceUs), ok });
  }
}

export function recordTime(cell: Cell, kind: TimeKind, valueUs: number): void {
  record((cell.times[kind] ??= createHistogram()), valueUs);
}

/** Returns the service time; `blockedUs` includes connecting. */
function computeServiceUs({ blockedUs, sendingUs, waitingUs, receivingUs }: K6Request): number {
  return blockedUs + sendingUs + waitingUs + receivingUs;
}

function toClass(status: number): TimeKind | null {
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
  addCount(cell.outcomes, outcome);
  if (error !== null) addName(cell.errors, error);
}
