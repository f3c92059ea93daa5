import type { AnswerChecks } from '#workers/bodyCheck/answerChecks.ts';
import { backOffMs } from '#workers/backOff.ts';
import { outcomeOf, type Phase } from '#workers/errorClass.ts';
import type { Answer } from '#workers/recorder.ts';
import { Journey } from '../journey.ts';
import { Connection, type ConnectionListener } from './connection.ts';
import { ResponseFramer } from './framer/framer.ts';
import type { NativeLoad } from './nativeLoad.ts';

/**
 * One connection of the closed model: it walks through journeys and sends the next request when the last answer has arrived.
 * Back-off after a failure delays this connection only.
 */
export class NativeUser implements ConnectionListener {
  ended = false;
  private readonly load: NativeLoad;
  private readonly connection: Connection;
  private readonly checks: AnswerChecks | null;
  private backOff: NodeJS.Timeout | null = null;
  private failures = 0;
  private readonly journey = new Journey();
  private readonly answer: Answer = {
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

  constructor(load: NativeLoad) {
    this.load = load;
    const framer = new ResponseFramer(load.headerPlan, load.framerLimits);
    this.connection = new Connection(load, framer, this);
    this.checks = load.checksOf(framer);
  }

  start(): void {
    this.next(this.load.now());
  }

  /** Ends at once when nothing is owed on this connection; otherwise it ends with the answer. */
  drain(): void {
    if (!this.connection.isBusy) this.finish();
  }

  /** Ends at once; what is owed stays unanswered. */
  abort(): void {
    if (this.connection.isBusy) this.leave();
    else this.finish();
  }

  expire(nowUs: number): void {
    this.connection.expire(nowUs);
  }

  opened(address: string, atUs: number, connectUs: number): void {
    this.load.stage.countAddress(address);
    this.load.stage.recorder.connectionOpened(this.journey.step, atUs, connectUs);
  }

  secured(atUs: number, tlsUs: number): void {
    this.load.stage.recorder.secured(this.journey.step, atUs, tlsUs);
  }

  wrote(bytes: number): void {
    this.load.stage.recorder.bytesSent(this.journey.step, bytes);
  }

  received(bytes: number, atUs: number): void {
    this.load.stage.recorder.bytesReceived(this.journey.step, bytes, atUs);
  }

  answered(atUs: number): void {
    const { load, connection, answer } = this;
    const { framer } = connection;
    const step = load.steps[this.journey.step];
    answer.status = framer.status;
    answer.expected = step?.isExpected(framer.status) ?? false;
    answer.serviceUs = atUs - connection.startUs;
    answer.responseUs = answer.serviceUs;
    answer.firstByteUs = connection.firstByteUs - connection.writtenUs;
    answer.transferUs = atUs - connection.firstByteUs;
    answer.bodyBytes = framer.bodyBytes;
    answer.onReusedConnection = connection.answers > 1;
    const isChecked = this.checks !== null && answer.expected && step !== undefined && step.checks !== null;
    answer.failedCheck = isChecked ? this.checks.firstFailure(step.checks) : null;
    load.stage.recorder.requestAnswered(this.journey.step, atUs, answer);
    if (!load.stage.serverSeen) load.sawServer(framer, atUs);
    if (this.checks === null) framer.keepWanted(false);
    this.failures = 0;
    if (!framer.keepAlive || load.reuse === 'never' || step?.request.keepsAlive === false) load.retire(connection.release());
    this.settle(atUs, true);
    // Looking at a body takes time that is not the server's.
    this.next(isChecked ? load.now() : atUs);
  }

  failed(code: string, phase: Phase, atUs: number): void {
    const { load } = this;
    const outcome = outcomeOf(code, phase);
    load.stage.recorder.requestFailed(this.journey.step, atUs, outcome, code, phase);
    this.failures += 1;
    this.settle(atUs, false);
    if (load.stage.draining || this.isOutOfWork) {
      this.finish();
      return;
    }
    const delayMs = backOffMs(outcome, this.failures);
    if (delayMs === 0) this.next(load.now());
    else this.backOff = setTimeout(() => this.next(load.now()), delayMs);
  }

  private get isOutOfWork(): boolean {
    return this.journey.isOver && this.load.stage.journeysLeft <= 0;
  }

  private next(nowUs: number): void {
    const { stage, steps } = this.load;
    if (this.ended) return;
    if (this.isOutOfWork || !stage.mayStart()) {
      this.finish();
      return;
    }
    if (this.journey.isOver) this.beginJourney(nowUs);
    const step = steps[this.journey.step];
    if (step === undefined) throw new RangeError(`The plan has no step ${this.journey.step}.`);
    this.checks?.begin(step.checks);
    stage.recorder.requestStarted(this.journey.step, nowUs);
    stage.inFlight += 1;
    this.connection.send(step.request.bytes, step.request.isHead, nowUs);
  }

  private beginJourney(nowUs: number): void {
    const { stage, reuse } = this.load;
    this.journey.begin(stage.takeJourney());
    stage.recorder.journeyStarted(nowUs);
    if (reuse === 'journey') this.connection.close();
  }

  private settle(nowUs: number, answered: boolean): void {
    const { stage } = this.load;
    stage.inFlight -= 1;
    this.journey.settle(answered);
    if (!this.journey.isOver) return;
    if (this.journey.isFinished) stage.recorder.journeyFinished(nowUs);
    else stage.recorder.journeyAbandoned(nowUs);
  }

  /** No more requests on this connection. A journey that is cut off here was not finished. */
  private finish(): void {
    if (this.ended) return;
    if (!this.journey.isOver) this.load.stage.recorder.journeyAbandoned(this.load.now());
    this.leave();
  }

  private leave(): void {
    if (this.ended) return;
    this.ended = true;
    if (this.backOff !== null) clearTimeout(this.backOff);
    this.connection.close();
    this.load.userEnded();
  }
}
