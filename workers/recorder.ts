import type { JourneyCounts, Window } from '#core/stats/window.ts';
import type { FailedOutcome, Phase } from './errorClass.ts';
import { type AnswerOutcome, HotCell } from './hotCell.ts';

/**
 * A complete answer. Times are in microseconds: `serviceUs` from the actual start and `responseUs` from the intended one to the last
 * byte, `firstByteUs` from when the request was written, `transferUs` from the first byte to the last.
 */
export interface Answer {
  status: number;
  /** Its status counts as good. */
  expected: boolean;
  /** Name of the check that its body failed, as it is counted among the errors; null when none did. */
  failedCheck: string | null;
  serviceUs: number;
  responseUs: number;
  firstByteUs: number;
  transferUs: number;
  bodyBytes: number;
  onReusedConnection: boolean;
}

/** An answer to fill in, again and again: one for each connection, so that recording allocates nothing. */
export function newAnswer(): Answer {
  return {
    status: 0,
    expected: false,
    failedCheck: null,
    serviceUs: 0,
    responseUs: 0,
    firstByteUs: 0,
    transferUs: 0,
    bodyBytes: 0,
    onReusedConnection: false,
  };
}

/**
 * What a driver tells about the requests of one stage. `atUs` is the instant on the shared clock; instants never go back
 * within a thread. Every request started is followed by exactly one answer or failure, unless the driver is aborted.
 */
export interface StageRecorder {
  journeyStarted(atUs: number): void;
  journeyFinished(atUs: number): void;
  journeyAbandoned(atUs: number): void;
  /** A journey was due and did not start, by whose fault. */
  journeyNotStarted(cause: 'target' | 'generator', atUs: number): void;
  requestStarted(step: number, atUs: number): void;
  /** How much later than intended a request started, where its start was planned. */
  startedLate(step: number, lagUs: number): void;
  bytesSent(step: number, bytes: number): void;
  bytesReceived(step: number, bytes: number, atUs: number): void;
  connectionOpened(step: number, atUs: number, connectUs: number): void;
  secured(step: number, atUs: number, tlsUs: number): void;
  requestAnswered(step: number, atUs: number, answer: Readonly<Answer>): void;
  requestFailed(step: number, atUs: number, outcome: FailedOutcome, code: string, phase: Phase): void;
}

export interface RecorderOptions {
  /** Per step, the body length of the first complete answer of the run, −1 before; shared by all threads. */
  readonly firstBodyLengths: Int32Array;
  /** Whether the load model tells response times from service times: whether it plans when requests start. */
  readonly plansStarts: boolean;
  /** Requests unanswered now. Asked of the drivers instead of counted here, so that a lost record shows in the ledger. */
  inFlight(): number;
  /** Takes each window when its second is over. */
  publish(window: Window): void;
}

/** Collects what happens on one thread into windows of one second. */
export class Recorder {
  private second = 0;
  private endsUs = Number.POSITIVE_INFINITY;
  private journeys = noJourneys();
  private stages: { readonly stage: number; readonly cells: HotCell[] }[] = [];
  private readonly options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.options = options;
  }

  /** `originUs`: the instant from which seconds are counted, on the shared clock. Nothing may be recorded before. */
  begin(originUs: number): void {
    this.endsUs = originUs + 1_000_000;
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

  private publish(): void {
    const cells = this.stages.flatMap(({ stage, cells: hot }) => hot.flatMap((cell, step) => cell?.take(stage, step) ?? []));
    const window: Window = {
      second: this.second,
      width: 1,
      cells,
      journeys: this.journeys,
      inFlight: this.options.inFlight(),
      sick: [],
    };
    this.journeys = noJourneys();
    this.second += 1;
    this.endsUs += 1_000_000;
    this.options.publish(window);
  }
}

function noJourneys(): JourneyCounts {
  return { started: 0, finished: 0, abandoned: 0, notStartedTarget: 0, notStartedGenerator: 0, notStartedStopped: 0 };
}

function outcomeOfAnswer({ expected, failedCheck }: Readonly<Answer>): AnswerOutcome {
  if (!expected) return 'httpError';
  return failedCheck === null ? 'ok' : 'wrongBody';
}

class CellRecorder implements StageRecorder {
  private readonly recorder: Recorder;
  private readonly cells: HotCell[];
  private readonly firstBodyLengths: Int32Array;
  private readonly plansStarts: boolean;

  constructor(recorder: Recorder, cells: HotCell[], { firstBodyLengths, plansStarts }: RecorderOptions) {
    this.recorder = recorder;
    this.cells = cells;
    this.firstBodyLengths = firstBodyLengths;
    this.plansStarts = plansStarts;
  }

  journeyStarted(atUs: number): void {
    this.recorder.journeysAt(atUs).started += 1;
  }

  journeyFinished(atUs: number): void {
    this.recorder.journeysAt(atUs).finished += 1;
  }

  journeyAbandoned(atUs: number): void {
    this.recorder.journeysAt(atUs).abandoned += 1;
  }

  journeyNotStarted(cause: 'target' | 'generator', atUs: number): void {
    const cell = this.cell(0, atUs);
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
  }

  connectionOpened(step: number, atUs: number, connectUs: number): void {
    const cell = this.cell(step, atUs);
    cell.connectionsOpened += 1;
    cell.countTime('connect', connectUs);
  }

  secured(step: number, atUs: number, tlsUs: number): void {
    this.cell(step, atUs).countTime('tls', tlsUs);
  }

  requestAnswered(step: number, atUs: number, answer: Readonly<Answer>): void {
    const cell = this.cell(step, atUs);
    const outcome = outcomeOfAnswer(answer);
    cell.countAnswer(outcome, answer);
    if (outcome === 'wrongBody' && answer.failedCheck !== null) cell.countError(answer.failedCheck);
    if (this.plansStarts) cell.countResponse(outcome, answer.responseUs);
    cell.bodyBytes += answer.bodyBytes;
    if (answer.onReusedConnection) cell.requestsOnReusedConnection += 1;
    const deviation = answer.bodyBytes - this.firstBodyLength(step, answer.bodyBytes);
    if (deviation === 0) return;
    cell.bodyLengthDiffers += 1;
    cell.bodyLengthDeviation += deviation;
    if (answer.bodyBytes === 0) cell.bodyEmpty += 1;
  }

  requestFailed(step: number, atUs: number, outcome: FailedOutcome, code: string, phase: Phase): void {
    this.cell(step, atUs).countFailure(outcome, `${code}@${phase}`);
  }

  private cell(step: number, atUs: number): HotCell {
    this.recorder.advance(atUs);
    const cell = (this.cells[step] ??= this.newCell(step));
    cell.touched = true;
    return cell;
  }

  /** Made when first needed: a plan may have many stages and steps, and a cell takes kilobytes. */
  private newCell(step: number): HotCell {
    if (!(step >= 0 && step < this.firstBodyLengths.length)) throw new RangeError(`The plan has no step ${step}.`);
    return new HotCell();
  }

  private firstBodyLength(step: number, bodyBytes: number): number {
    const known = this.firstBodyLengths[step] ?? -1;
    if (known >= 0) return known;
    const before = Atomics.compareExchange(this.firstBodyLengths, step, -1, bodyBytes);
    return before < 0 ? bodyBytes : before;
  }
}
