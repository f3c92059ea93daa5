import { JOURNEY_COUNTERS, zeroCounters } from '#core/measurement/counters.ts';
import { EarliestStarts } from '#core/measurement/windowFold.ts';
import type { JourneyCounts, LoadedCount, SideCell, Window } from '#core/measurement/window.ts';
import { errorName, type Phase } from '#core/base/errorNames.ts';
import type { FailedOutcome } from './errorClass.ts';
import type { DuetSide, DuetSlots } from '#core/work/journey/duet.ts';
import type { DuetCounts } from './duetCounts.ts';
import { HotCell } from './hotCell.ts';
import { LoadedCounts, type LoadedFrom } from './loadedCounts.ts';
import { type Response, toOutcome, type RequestRecorder, SideRecorder } from './sideRecorder.ts';
import { missingPartError } from './noSuch.ts';

/**
 * Receives the events of one stage's requests. `atUs` is a time on the shared clock, which never decreases within a thread. Every started
 * request has exactly one response or failure, unless the driver is aborted.
 */
export interface StageRecorder extends RequestRecorder {
  /** Returns the recorder of the stage's side calls. */
  sideCalls(): RequestRecorder;
  /** Returns the variant whose slot a journey scheduled at `atUs` belongs to; undefined without a duet. */
  duetSideAt(atUs: number): DuetSide | undefined;
  journeyStarted(atUs: number): void;
  journeyFinished(atUs: number): void;
  /** Called when a journey has ended at or after the failure of a step. */
  journeyAbandoned(step: number, atUs: number): void;
  /** Called when a due journey did not start because of the target or the load generator. */
  journeyNotStarted(cause: 'target' | 'generator', atUs: number): void;
  /** Records the schedule lag of a request whose start was planned. */
  startedLate(step: number, lagUs: number): void;
  /** Called when a user has reached the gate of this step, before its bell or after it. */
  gateReached(step: number, atUs: number, isLate: boolean): void;
  /** Called when a user who waited for the bell has started the request. `sinceBellUs` is the time since the bell. */
  onGateLeft(step: number, atUs: number, sinceBellUs: number): void;
  /** Called when the step of a user who waited for the bell has ended. */
  bellStepEnded(step: number, atUs: number, isOk: boolean, sinceBellUs: number): void;
  /** Called when a user will reload the step. `isFirstOfBell`: whether it is the first reload of a user who waited for a bell. */
  reloaded(step: number, atUs: number, isFirstOfBell: boolean): void;
  /** Called when a page has ended, completely or not. `pageUs` is the time from the scheduled start of its first request. */
  pageEnded(step: number, atUs: number, isComplete: boolean, pageUs: number): void;
  /** Records how many resources of one kind a page requests. */
  pageAsksFor(resource: number, atUs: number, count: number): void;
  /** Called when a stream is open. `isAgain`: whether it replaces a stream that was cut. */
  streamOpened(step: number, atUs: number, isAgain: boolean): void;
  /** Called when a stream has ended. `heldUs` is the time since it was opened; `silentUs` is the time since its last bytes. */
  streamEnded(step: number, atUs: number, end: StreamEnd, heldUs: number, silentUs: number): void;
  messageSent(step: number, atUs: number): void;
  eventReceived(step: number, atUs: number, event: Readonly<ReceivedEvent>): void;
}

/** Who ended a stream: the listener, the server, or the network. */
export type StreamEnd = 'left' | 'ended' | 'lost';

/** An event record that is used again for each event, which avoids allocations. */
export interface ReceivedEvent {
  /** For the first event of a stream, the time since the stream was opened; otherwise null. */
  firstUs: number | null;
  /** Time since the previous read with events; null at the first read, and for further events of the same read. */
  gapUs: number | null;
  /** Whether the event arrived in the same read as the previous one. */
  isTogether: boolean;
  /** Delay since the sending time that the event states, which is negative if the clocks differ; null if it states none. */
  delayUs: number | null;
  missed: number;
  isRepeated: boolean;
  isLate: boolean;
}

export interface RecorderOptions {
  /** Body length of the run's first complete response of each step; −1 before that response. All threads share it. */
  readonly firstBodyLengths: Int32Array;
  /** Whether the load model schedules starts, so that response times differ from service times. */
  readonly plansStarts: boolean;
  /** Index of the step at which journeys are counted; the plan's first step if left out. */
  readonly firstStep?: number;
  /** Slots and variants of a duet; left out without one. */
  readonly duet?: DuetCounts;
  /**
   * Returns the number of requests in flight, as counted by the drivers: a lost record then shows as a contradiction in the request
   * outcomes.
   */
  inFlight(): number;
  /** Returns the number of side calls in flight; left out if the plan has none. */
  sideInFlight?: () => number;
  /** Receives each window at the end of its second. */
  publish(window: Window): void;
}

/** Usual resolution of the times that events state: 1 ms. */
const CLOCK_STEP_US = 1_000;

/** Collects the events of one thread in windows of one second. */
export class Recorder {
  private second = 0;
  private originUs = 0;
  private endsUs = Number.POSITIVE_INFINITY;
  private journeys = zeroCounters(JOURNEY_COUNTERS);
  private sideCells: SideCell[] = [];
  private readonly sideRecorder = new SideRecorder((step, atUs) => this.sideCellAt(step, atUs));
  private stages: { readonly stage: number; readonly cells: HotCell[] }[] = [];
  private readonly loaded = new LoadedCounts();
  private readonly options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.options = options;
  }

  /** Begins to record. `originUs` is second 0 on the shared clock. No event may be recorded before this call. */
  begin(originUs: number): void {
    this.originUs = originUs;
    this.endsUs = originUs + 1_000_000;
  }

  get beganUs(): number {
    return this.originUs;
  }

  get windowEndsUs(): number {
    return this.endsUs;
  }

  /** Opens recorders for stages whose loads run together, in this order. Earlier stages are dropped once they are published. */
  open(stages: readonly number[]): StageRecorder[] {
    this.stages = this.stages.filter(({ cells }) => cells.some((cell) => cell?.touched));
    return stages.map((stage) => {
      const cells: HotCell[] = [];
      this.stages.push({ stage, cells });
      return new CellRecorder(this, cells, this.options, stage);
    });
  }

  /**
   * Sets the stages and the times from which their loads run, in chronological order. The rates of a stage count only events while its load
   * runs.
   */
  loads(stages: readonly LoadedFrom[]): void {
    this.loaded.plan(stages);
  }

  /** Returns the counts for the rate of the stage whose load is running; null if there is none. */
  loadedAt(step: number, atUs: number): LoadedCount | null {
    this.advance(atUs);
    return this.loaded.at(step, atUs);
  }

  get sideCalls(): RequestRecorder {
    return this.sideRecorder;
  }

  /** Returns the journey counts of the window at `atUs`. */
  journeysAt(atUs: number): JourneyCounts {
    this.advance(atUs);
    return this.journeys;
  }

  /** Publishes every window that has ended by `nowUs`, even if it is empty. */
  advance(nowUs: number): void {
    while (nowUs >= this.endsUs) this.publish();
  }

  /** Publishes the current window at the end of the run. */
  close(nowUs: number): void {
    this.advance(nowUs);
    this.publish();
  }

  private sideCellAt(step: number, atUs: number): SideCell {
    this.advance(atUs);
    let cell = this.sideCells.find((known) => known.step === step);
    if (cell === undefined) this.sideCells.push((cell = { step, started: 0, outcomes: {}, errors: {} }));
    return cell;
  }

  private publish(): void {
    const cells = this.stages.flatMap(({ stage, cells: hot }) => hot.flatMap((cell, step) => cell?.take(stage, step) ?? []));
    const duet = this.options.duet?.take() ?? [];
    const window: Window = {
      second: this.second,
      width: 1,
      cells,
      loaded: this.loaded.take(),
      journeys: this.journeys,
      inFlight: this.options.inFlight(),
      ...(this.options.sideInFlight === undefined ? {} : { side: { cells: this.sideCells, inFlight: this.options.sideInFlight() } }),
      ...(duet.length === 0 ? {} : { duet }),
      overloadedBy: [],
    };
    this.sideCells = [];
    this.journeys = zeroCounters(JOURNEY_COUNTERS);
    this.second += 1;
    this.endsUs += 1_000_000;
    this.options.publish(window);
  }
}

class CellRecorder implements StageRecorder {
  private readonly recorder: Recorder;
  private readonly cells: HotCell[];
  private readonly firstBodyLengths: Int32Array;
  private readonly plansStarts: boolean;
  private readonly earliest: EarliestStarts[] = [];
  private readonly firstStep: number;
  /** Counts of the duet; null without a duet, and in stages that are not counted. */
  private readonly duet: DuetCounts | null;
  private readonly slots: DuetSlots | null;

  constructor(recorder: Recorder, cells: HotCell[], { firstBodyLengths, plansStarts, firstStep, duet }: RecorderOptions, stage: number) {
    this.recorder = recorder;
    this.duet = duet?.isCompared(stage) === true ? duet : null;
    this.slots = duet?.slots ?? null;
    this.cells = cells;
    this.firstBodyLengths = firstBodyLengths;
    this.plansStarts = plansStarts;
    this.firstStep = firstStep ?? 0;
  }

  sideCalls(): RequestRecorder {
    return this.recorder.sideCalls;
  }

  duetSideAt(atUs: number): DuetSide | undefined {
    return this.slots?.at(atUs - this.recorder.beganUs).side;
  }

  journeyStarted(atUs: number): void {
    this.cell(this.firstStep, atUs).journeysStarted += 1;
    this.recorder.journeysAt(atUs).started += 1;
  }

  journeyFinished(atUs: number): void {
    this.recorder.journeysAt(atUs).finished += 1;
  }

  journeyAbandoned(step: number, atUs: number): void {
    this.cell(step, atUs).journeysAbandoned += 1;
    this.recorder.journeysAt(atUs).abandoned += 1;
  }

  journeyNotStarted(cause: 'target' | 'generator', atUs: number): void {
    const cell = this.cell(this.firstStep, atUs);
    const journeys = this.recorder.journeysAt(atUs);
    if (cause === 'target') {
      cell.notStartedTarget += 1;
      journeys.notStartedTarget += 1;
    } else {
      cell.notStartedGenerator += 1;
      journeys.notStartedGenerator += 1;
    }
  }

  requestStarted(step: number, atUs: number): void {
    this.cell(step, atUs).started += 1;
  }

  waitBegan(step: number, atUs: number): void {
    this.cell(step, atUs).waitsBegun += 1;
  }

  startedLate(step: number, lagUs: number): void {
    const cell = this.cells[step];
    if (cell === undefined) return;
    cell.touched = true;
    cell.countLag(lagUs);
  }

  bytesSent(step: number, bytes: number): void {
    const cell = this.cells[step];
    if (cell === undefined) return;
    cell.touched = true;
    cell.bytesSent += bytes;
  }

  bytesReceived(step: number, bytes: number, atUs: number): void {
    this.cell(step, atUs).bytesReceived += bytes;
    const loaded = this.recorder.loadedAt(step, atUs);
    if (loaded !== null) loaded.bytesReceived += bytes;
  }

  nameResolved(step: number, atUs: number, lookupUs: number): void {
    this.cell(step, atUs).countTime('lookup', lookupUs);
  }

  connectionOpened(step: number, atUs: number, connectUs: number): void {
    const cell = this.cell(step, atUs);
    cell.connectionsOpened += 1;
    cell.countTime('connect', connectUs);
  }

  secured(step: number, atUs: number, tlsUs: number, isResumed: boolean): void {
    const cell = this.cell(step, atUs);
    if (isResumed) cell.sessionsResumed += 1;
    cell.countTime('tls', tlsUs);
  }

  requestResent(step: number, atUs: number): void {
    this.cell(step, atUs).requestsResent += 1;
  }

  requestCompleted(step: number, atUs: number, response: Readonly<Response>): void {
    const cell = this.cell(step, atUs);
    const outcome = toOutcome(response);
    cell.recordResponse(outcome, response);
    const loaded = this.recorder.loadedAt(step, atUs);
    if (loaded !== null) {
      loaded.responded += 1;
      if (outcome === 'ok' && !response.isStillWaiting) loaded.ok += 1;
    }
    if (outcome === 'wrongBody' && response.failedCheck !== null) cell.countFailedCheck(response.failedCheck);
    if (response.isUnchecked) cell.responsesUnchecked += 1;
    if (this.plansStarts) cell.countResponse(outcome, response.responseUs);
    this.duet?.responded(step, atUs - response.responseUs - this.recorder.beganUs, response.responseUs, outcome === 'ok');
    this.keepEarly(step, cell, atUs, response, outcome === 'ok');
    cell.bodyBytes += response.bodyBytes;
    if (response.server !== null) cell.countServer(response.server, outcome === 'ok', response.serviceUs);
    if (response.fromCache !== null) cell.countCache(response.fromCache, response.serviceUs);
    if (response.waitedUs !== null && outcome === 'ok') cell.countTime('waited', response.waitedUs);
    if (response.sessionAgeUs !== null) cell.countTime('sessionAge', response.sessionAgeUs);
    if (response.place !== null) {
      const writtenUs = atUs - response.transferUs - response.firstByteUs;
      const sinceUs = Math.max(0, writtenUs - this.recorder.beganUs - response.firstBellUs);
      cell.countTime(response.place === 'given' ? 'placeGiven' : 'placeRefused', sinceUs);
    }
    if (response.onReusedConnection) cell.requestsOnReusedConnection += 1;
    if (!response.comparesLength) return;
    const deviation = response.bodyBytes - this.firstBodyLength(step, response.bodyBytes);
    if (deviation === 0) return;
    cell.bodyLengthDiffers += 1;
    cell.bodyLengthDeviation += deviation;
    if (response.bodyBytes === 0) cell.bodyEmpty += 1;
  }

  requestFailed(step: number, atUs: number, outcome: FailedOutcome, code: string, phase: Phase, server?: string | null): void {
    const cell = this.cell(step, atUs);
    cell.countFailure(outcome, errorName(code, phase));
    this.duet?.failed(step, atUs - this.recorder.beganUs);
    if (typeof server === 'string') cell.countServer(server, false, null);
  }

  gateReached(step: number, atUs: number, isLate: boolean): void {
    this.cell(step, atUs)[isLate ? 'lateAtGate' : 'waitedAtGate'] += 1;
  }

  onGateLeft(step: number, atUs: number, sinceBellUs: number): void {
    this.cell(step, atUs).countTime('bellStart', sinceBellUs);
  }

  bellStepEnded(step: number, atUs: number, isOk: boolean, sinceBellUs: number): void {
    this.cell(step, atUs).countTime(isOk ? 'bellServed' : 'bellFailed', sinceBellUs);
  }

  reloaded(step: number, atUs: number, isFirstOfBell: boolean): void {
    const cell = this.cell(step, atUs);
    cell.reloads += 1;
    if (isFirstOfBell) cell.reloadedAtBell += 1;
  }

  pageEnded(step: number, atUs: number, isComplete: boolean, pageUs: number): void {
    this.cell(step, atUs).countTime(isComplete ? 'page' : 'pageFailed', pageUs);
    if (!isComplete) return;
    const loaded = this.recorder.loadedAt(step, atUs);
    if (loaded !== null) loaded.pages += 1;
  }

  pageAsksFor(resource: number, atUs: number, count: number): void {
    this.cell(resource, atUs).countTime('perPage', count);
  }

  streamOpened(step: number, atUs: number, isAgain: boolean): void {
    const { streams } = this.cell(step, atUs);
    streams.opened += 1;
    if (isAgain) streams.reopened += 1;
  }

  streamEnded(step: number, atUs: number, how: StreamEnd, heldUs: number, silentUs: number): void {
    const cell = this.cell(step, atUs);
    cell.streams[how] += 1;
    if (how === 'left') return;
    cell.countTime('streamHeld', heldUs);
    cell.countTime('silence', silentUs);
  }

  messageSent(step: number, atUs: number): void {
    this.cell(step, atUs).streams.sent += 1;
  }

  eventReceived(step: number, atUs: number, event: Readonly<ReceivedEvent>): void {
    const cell = this.cell(step, atUs);
    const { streams } = cell;
    const { firstUs, gapUs, delayUs } = event;
    streams.events += 1;
    streams.missed += event.missed;
    if (event.isTogether) streams.together += 1;
    if (event.isRepeated) streams.repeated += 1;
    if (event.isLate) streams.disordered += 1;
    if (firstUs !== null) cell.countTime('firstEvent', firstUs);
    if (gapUs !== null) cell.countTime('eventGap', gapUs);
    if (delayUs === null) return;
    if (delayUs < -CLOCK_STEP_US) streams.early += 1;
    cell.countTime('eventDelay', Math.max(0, delayUs));
  }

  private keepEarly(step: number, cell: HotCell, atUs: number, { responseUs, serviceUs }: Readonly<Response>, ok: boolean): void {
    const tookUs = this.plansStarts ? responseUs : serviceUs;
    const startUs = Math.max(0, Math.round(atUs - tookUs - this.recorder.beganUs));
    if ((this.earliest[step] ??= new EarliestStarts()).takes(startUs)) cell.keepEarly({ startUs, responseUs: Math.round(tookUs), ok });
  }

  private cell(step: number, atUs: number): HotCell {
    this.recorder.advance(atUs);
    const cell = (this.cells[step] ??= this.newCell(step));
    cell.touched = true;
    return cell;
  }

  /** Creates a cell on demand, because a plan may have many stages and steps, and a cell takes kilobytes. */
  private newCell(step: number): HotCell {
    if (!(step >= 0 && step < this.firstBodyLengths.length)) throw missingPartError('step', step);
    return new HotCell();
  }

  private firstBodyLength(step: number, bodyBytes: number): number {
    const firstLength = this.firstBodyLengths[step] ?? -1;
    if (firstLength >= 0) return firstLength;
    const before = Atomics.compareExchange(this.firstBodyLengths, step, -1, bodyBytes);
    return before < 0 ? bodyBytes : before;
  }
}
