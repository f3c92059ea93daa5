import { JOURNEY_COUNTERS, noCounters } from '#core/measurement/counters.ts';
import { EarliestStarts } from '#core/measurement/loaded.ts';
import type { JourneyCounts, LoadedCount, SideCell, Window } from '#core/measurement/window.ts';
import { errorName, type Phase } from '#core/base/errorNames.ts';
import type { FailedOutcome } from './errorClass.ts';
import { HotCell } from './hotCell.ts';
import { LoadedCounts, type LoadedFrom } from './loadedCounts.ts';
import { type Answer, outcomeOfAnswer, type RequestRecorder, SideRecorder } from './sideRecorder.ts';
import { noSuch } from './noSuch.ts';

/**
 * What a driver tells about the requests of one stage. `atUs` is the instant on the shared clock; instants never go back
 * within a thread. Every request started is followed by exactly one answer or failure, unless the driver is aborted.
 */
export interface StageRecorder extends RequestRecorder {
  /** Where the side calls of the stage are counted. */
  sideCalls(): RequestRecorder;
  journeyStarted(atUs: number): void;
  journeyFinished(atUs: number): void;
  journeyAbandoned(atUs: number): void;
  /** A journey was due and did not start, by whose fault. */
  journeyNotStarted(cause: 'target' | 'generator', atUs: number): void;
  /** How much later than intended a request started, where its start was planned. */
  startedLate(step: number, lagUs: number): void;
  /** A whole page is there, or what could be had of it; `pageUs` from the intended start of its first request. */
  pageEnded(step: number, atUs: number, isComplete: boolean, pageUs: number): void;
  /** How many things of one kind a page asks for. */
  pageAsksFor(resource: number, atUs: number, count: number): void;
  /** A listener holds a stream from now on. `isAgain`: the one before was cut. */
  streamOpened(step: number, atUs: number, isAgain: boolean): void;
  /** It does so no more. `heldUs`: since it was opened; `silentUs`: since the last bytes came. */
  streamEnded(step: number, atUs: number, how: StreamEnd, heldUs: number, silentUs: number): void;
  /** A message was sent over a stream. */
  messageSent(step: number, atUs: number): void;
  /** An event has come. */
  eventReceived(step: number, atUs: number, event: Readonly<ReceivedEvent>): void;
}

/** By whom a stream was ended: its listener, its server, or the network. */
export type StreamEnd = 'left' | 'ended' | 'lost';

/** An event, to fill in again and again: recording it allocates nothing. */
export interface ReceivedEvent {
  /** Since the stream was opened, of its first event; else null. */
  firstUs: number | null;
  /** Since the read before that had events; null for the first read, and for events that came with others. */
  gapUs: number | null;
  /** It came in the same read as the one before. */
  isTogether: boolean;
  /** From the instant at which it says it was sent, below 0 where the clocks differ; null where it does not say. */
  delayUs: number | null;
  missed: number;
  isRepeated: boolean;
  isLate: boolean;
}

export interface RecorderOptions {
  /** Per step, the body length of the first complete answer of the run, −1 before; shared by all threads. */
  readonly firstBodyLengths: Int32Array;
  /** Whether the load model tells response times from service times: whether it plans when requests start. */
  readonly plansStarts: boolean;
  /** Position of the step at which journeys are counted; the first of the plan when left out. */
  readonly firstStep?: number;
  /** Requests unanswered now. Asked of the drivers instead of counted here, so that a lost record shows in the ledger. */
  inFlight(): number;
  /** Side calls unanswered now; left out where a plan has none. */
  sideInFlight?: () => number;
  /** Takes each window when its second is over. */
  publish(window: Window): void;
}

/** Instants in events are mostly told in whole milliseconds. */
const CLOCK_STEP_US = 1_000;

/** Collects what happens on one thread into windows of one second. */
export class Recorder {
  private second = 0;
  private originUs = 0;
  private endsUs = Number.POSITIVE_INFINITY;
  private journeys = noCounters(JOURNEY_COUNTERS);
  private sideCells: SideCell[] = [];
  private readonly sideRecorder = new SideRecorder((step, atUs) => this.sideCellAt(step, atUs));
  private stages: { readonly stage: number; readonly cells: HotCell[] }[] = [];
  private readonly loaded = new LoadedCounts();
  private readonly options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.options = options;
  }

  /** `originUs`: the instant from which seconds are counted, on the shared clock. Nothing may be recorded before. */
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

  /** Where the requests of some stages that are loaded together are recorded, in their order. Earlier ones are let go once published. */
  open(stages: readonly number[]): StageRecorder[] {
    this.stages = this.stages.filter(({ cells }) => cells.some((cell) => cell?.touched));
    return stages.map((stage) => {
      const cells: HotCell[] = [];
      this.stages.push({ stage, cells });
      return new CellRecorder(this, cells, this.options);
    });
  }

  /** Which stages are loaded from here on, in order of time: what comes meanwhile is what their rates count. */
  loads(stages: readonly LoadedFrom[]): void {
    this.loaded.plan(stages);
  }

  /** Where the rate of the stage that is loaded is counted; null while none is. */
  loadedAt(step: number, atUs: number): LoadedCount | null {
    this.advance(atUs);
    return this.loaded.at(step, atUs);
  }

  get sideCalls(): RequestRecorder {
    return this.sideRecorder;
  }

  /** The journeys of the window that `atUs` lies in. */
  journeysAt(atUs: number): JourneyCounts {
    this.advance(atUs);
    return this.journeys;
  }

  /** Publishes every window that ended by `nowUs`, empty ones included. */
  advance(nowUs: number): void {
    while (nowUs >= this.endsUs) this.publish();
  }

  /** Publishes the window that is still going, at the end of the run. */
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
    const window: Window = {
      second: this.second,
      width: 1,
      cells,
      loaded: this.loaded.take(),
      journeys: this.journeys,
      inFlight: this.options.inFlight(),
      ...(this.options.sideInFlight === undefined ? {} : { side: { cells: this.sideCells, inFlight: this.options.sideInFlight() } }),
      sick: [],
    };
    this.sideCells = [];
    this.journeys = noCounters(JOURNEY_COUNTERS);
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

  constructor(recorder: Recorder, cells: HotCell[], { firstBodyLengths, plansStarts, firstStep }: RecorderOptions) {
    this.recorder = recorder;
    this.cells = cells;
    this.firstBodyLengths = firstBodyLengths;
    this.plansStarts = plansStarts;
    this.firstStep = firstStep ?? 0;
  }

  sideCalls(): RequestRecorder {
    return this.recorder.sideCalls;
  }

  journeyStarted(atUs: number): void {
    this.cell(this.firstStep, atUs).journeysStarted += 1;
    this.recorder.journeysAt(atUs).started += 1;
  }

  journeyFinished(atUs: number): void {
    this.recorder.journeysAt(atUs).finished += 1;
  }

  journeyAbandoned(atUs: number): void {
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

  requestAnswered(step: number, atUs: number, answer: Readonly<Answer>): void {
    const cell = this.cell(step, atUs);
    const outcome = outcomeOfAnswer(answer);
    cell.countAnswer(outcome, answer);
    const loaded = this.recorder.loadedAt(step, atUs);
    if (loaded !== null) {
      loaded.answered += 1;
      if (outcome === 'ok' && !answer.isStillWaiting) loaded.ok += 1;
    }
    if (outcome === 'wrongBody' && answer.failedCheck !== null) cell.countFailedCheck(answer.failedCheck);
    if (answer.isUnchecked) cell.responsesUnchecked += 1;
    if (this.plansStarts) cell.countResponse(outcome, answer.responseUs);
    this.keepEarly(step, cell, atUs, answer, outcome === 'ok');
    cell.bodyBytes += answer.bodyBytes;
    if (answer.server !== null) cell.countServer(answer.server, outcome === 'ok', answer.serviceUs);
    if (answer.fromCache !== null) cell.countCache(answer.fromCache, answer.serviceUs);
    if (answer.waitedUs !== null && outcome === 'ok') cell.countTime('waited', answer.waitedUs);
    if (answer.onReusedConnection) cell.requestsOnReusedConnection += 1;
    if (!answer.comparesLength) return;
    const deviation = answer.bodyBytes - this.firstBodyLength(step, answer.bodyBytes);
    if (deviation === 0) return;
    cell.bodyLengthDiffers += 1;
    cell.bodyLengthDeviation += deviation;
    if (answer.bodyBytes === 0) cell.bodyEmpty += 1;
  }

  requestFailed(step: number, atUs: number, outcome: FailedOutcome, code: string, phase: Phase, server?: string | null): void {
    const cell = this.cell(step, atUs);
    cell.countFailure(outcome, errorName(code, phase));
    if (typeof server === 'string') cell.countServer(server, false, null);
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

  private keepEarly(step: number, cell: HotCell, atUs: number, { responseUs, serviceUs }: Readonly<Answer>, ok: boolean): void {
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

  /** Made when first needed: a plan may have many stages and steps, and a cell takes kilobytes. */
  private newCell(step: number): HotCell {
    if (!(step >= 0 && step < this.firstBodyLengths.length)) throw noSuch('step', step);
    return new HotCell();
  }

  private firstBodyLength(step: number, bodyBytes: number): number {
    const known = this.firstBodyLengths[step] ?? -1;
    if (known >= 0) return known;
    const before = Atomics.compareExchange(this.firstBodyLengths, step, -1, bodyBytes);
    return before < 0 ? bodyBytes : before;
  }
}
