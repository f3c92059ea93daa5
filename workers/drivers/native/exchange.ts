import type { AnswerChecks } from '#workers/bodyCheck/answerChecks.ts';
import { backOffMs } from '#workers/backOff.ts';
import { outcomeOf, type Phase } from '#workers/errorClass.ts';
import type { Answer, StageRecorder } from '#workers/recorder.ts';
import { Connection, type ConnectionListener } from './connection.ts';
import { ResponseFramer } from './framer/framer.ts';
import type { NativeLoad } from './nativeLoad.ts';

/** Told what became of the request that is on its way. Either call may send the next one. */
export interface ExchangeOwner {
  answered(atUs: number): void;
  /** `delayMs`: how long to wait before the next request of this connection. */
  failed(atUs: number, delayMs: number): void;
}

/** One connection, and what the recorder is told of its requests. It does not know which request comes next, nor when. */
export class Exchange implements ConnectionListener {
  private readonly load: NativeLoad;
  private readonly owner: ExchangeOwner;
  private readonly connection: Connection;
  private readonly checks: AnswerChecks | null;
  private step = 0;
  private intendedUs = 0;
  private recorder: StageRecorder;
  private failures = 0;
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

  constructor(load: NativeLoad, owner: ExchangeOwner) {
    this.load = load;
    this.owner = owner;
    this.recorder = load.stage.recorder;
    const framer = new ResponseFramer(load.headerPlan, load.framerLimits);
    this.connection = new Connection(load, framer, this);
    this.checks = load.checksOf(framer);
  }

  /** A request is on its way. */
  get isBusy(): boolean {
    return this.connection.isBusy;
  }

  /** The next request needs no new connection. */
  get isConnected(): boolean {
    return this.connection.isOpen;
  }

  /** Sends the request of a step. It was to start at `intendedUs` and starts at `nowUs`. Only when not busy. */
  send(step: number, intendedUs: number, nowUs: number, recorder: StageRecorder): void {
    const { load } = this;
    const driven = load.steps[step];
    if (driven === undefined) throw new RangeError(`The plan has no step ${step}.`);
    this.step = step;
    this.intendedUs = intendedUs;
    this.recorder = recorder;
    this.checks?.begin(driven.checks);
    recorder.requestStarted(step, nowUs);
    load.stage.inFlight += 1;
    this.connection.send(driven.request.bytes, driven.request.isHead, nowUs);
  }

  /** Somebody else takes the connection over: failures of the one before do not delay it. */
  forgetFailures(): void {
    this.failures = 0;
  }

  expire(nowUs: number): void {
    this.connection.expire(nowUs);
  }

  /** Closes the connection; what is owed on it stays unanswered. */
  close(): void {
    this.connection.close();
  }

  opened(address: string, atUs: number, connectUs: number): void {
    this.load.stage.countAddress(address);
    this.recorder.connectionOpened(this.step, atUs, connectUs);
  }

  secured(atUs: number, tlsUs: number): void {
    this.recorder.secured(this.step, atUs, tlsUs);
  }

  wrote(bytes: number): void {
    this.recorder.bytesSent(this.step, bytes);
  }

  received(bytes: number, atUs: number): void {
    this.recorder.bytesReceived(this.step, bytes, atUs);
  }

  answered(atUs: number): void {
    const { load, connection, answer } = this;
    const { framer } = connection;
    const step = load.steps[this.step];
    answer.status = framer.status;
    answer.expected = step?.isExpected(framer.status) ?? false;
    answer.serviceUs = atUs - connection.startUs;
    answer.responseUs = atUs - this.intendedUs;
    answer.firstByteUs = connection.firstByteUs - connection.writtenUs;
    answer.transferUs = atUs - connection.firstByteUs;
    answer.bodyBytes = framer.bodyBytes;
    answer.onReusedConnection = connection.answers > 1;
    const isChecked = this.checks !== null && answer.expected && step !== undefined && step.checks !== null;
    answer.failedCheck = isChecked ? this.checks.firstFailure(step.checks) : null;
    this.recorder.requestAnswered(this.step, atUs, answer);
    if (!load.stage.serverSeen) load.sawServer(framer, atUs);
    if (this.checks === null) framer.keepWanted(false);
    this.failures = 0;
    if (!framer.keepAlive || load.reuse === 'never' || step?.request.keepsAlive === false) load.retire(connection.release());
    load.stage.inFlight -= 1;
    // Looking at a body takes time that is not the server's.
    this.owner.answered(isChecked ? load.now() : atUs);
  }

  failed(code: string, phase: Phase, atUs: number): void {
    const outcome = outcomeOf(code, phase);
    this.recorder.requestFailed(this.step, atUs, outcome, code, phase);
    this.failures += 1;
    this.load.stage.inFlight -= 1;
    this.owner.failed(atUs, backOffMs(outcome, this.failures));
  }
}
