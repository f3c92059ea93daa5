import type { Socket } from 'node:net';
import type { Client } from 'autocannon';
import { errorName, type Phase, statusName } from '#core/base/errorNames.ts';
import {
  backOffMs,
  CLOSED_EARLY,
  isIdleTimeout,
  mayBeSentAgain,
  NEVER_SENT,
  decideOutcome,
  TIMED_OUT,
  UNEXPECTED_DATA,
} from '#workers/errorClass.ts';
import { newResponse } from '#workers/sideRecorder.ts';
import { RawResponse } from '#workers/sampling/sampler.ts';
import { sentBytes } from '#workers/sampling/tracedRequests.ts';
import { StepCursor } from '#workers/journey/plainWalk.ts';
import { missingPartError } from '#workers/noSuch.ts';
import type { DrivenConnection } from '../connectionsDriver.ts';
import type { ResponseFramer } from '#framer/framer.ts';
import type { AutocannonLoad } from './autocannonLoad.ts';
import type { ConnectionPace } from '../loadDriver.ts';
import { Dialler, type DialListener } from '../dialler.ts';

/**
 * One connection of autocannon, with corrected behaviour. Own properties replace what its client does wrong. The unchanged client would
 * send a request on a connection after a response with `Connection: close`. It would measure a response from an older request, and lose the
 * response that causes a reconnect. It would reconnect without a pause, keep old listeners, and parse some responses differently from
 * browsers. README.md beside this file lists each trap with its test.
 */
export class ExactClient implements DrivenConnection, DialListener {
  private readonly client: Client;
  private readonly load: AutocannonLoad;
  private readonly dialler: Dialler;
  private backOff: NodeJS.Timeout | null = null;
  private failures = 0;
  private readonly pace: ConnectionPace;
  private responsesOnConnection = 0;

  private readonly journey = new StepCursor();
  private readonly raw = new RawResponse();
  private readonly framer: ResponseFramer;

  private pending = false;
  private phase: Phase = 'resolve';
  private startUs = 0;
  private writtenUs = 0;
  private firstByteUs = 0;
  /** Trace id of the current request; null if there is none. */
  private traceId: string | null = null;
  private readonly response = newResponse();

  constructor(client: Client, load: AutocannonLoad) {
    this.client = client;
    this.load = load;
    this.dialler = new Dialler(load, this);
    this.framer = load.createFramer();
    this.pace = load.pace.ofConnection();
    this.replaceMembers();
  }

  start(): void {
    this.next();
  }

  drain(): void {
    if (!this.pending) this.finish();
  }

  abort(): void {
    if (this.pending && this.writtenUs < this.startUs) this.countNeverSent();
    if (this.pending) this.leave();
    else this.finish();
  }

  expire(nowUs: number): void {
    if (this.pending && nowUs - this.startUs > this.load.timeoutUs) this.fail(TIMED_OUT);
  }

  /** Counts a request that still waits for a connection when the run ends. The server never received it. */
  private countNeverSent(): void {
    const { load } = this;
    load.recorder.requestFailed(this.journey.step, load.now(), 'neverSent', NEVER_SENT, this.dialler.phase ?? 'connect', null);
    load.inFlight -= 1;
    this.pending = false;
  }

  private replaceMembers(): void {
    const { client } = this;
    // autocannon would connect at the end of its constructor, but Holdfast connects at the start of the stage.
    /* oxlint-disable no-underscore-dangle -- autocannon's names */
    client._connect = () => {};
    client._destroyConnection = () => this.closeSocket();
    /* oxlint-enable no-underscore-dangle */
  }

  /** Called when this connection is free: at the start, after a response or after a failure. */
  private next(): void {
    const { load } = this;
    if (this.client.destroyed || this.pending || this.backOff !== null) return;
    const { journey } = this;
    if ((journey.isOver && load.journeysLeft <= 0) || !load.mayStart()) {
      this.finish();
      return;
    }
    const nowUs = load.now();
    if (journey.isOver) {
      journey.begin(load.takeJourney());
      load.recorder.journeyStarted(nowUs);
    }
    load.recorder.requestStarted(journey.step, nowUs);
    load.inFlight += 1;
    this.pending = true;
    this.startUs = nowUs;
    this.firstByteUs = 0;
    this.traceId = this.chooseTrace();
    const { socket } = this.dialler;
    if (socket === null) this.open();
    else this.write(socket, nowUs);
  }

  private open(): void {
    this.responsesOnConnection = 0;
    this.dialler.open();
  }

  resolved(atUs: number, lookupUs: number): void {
    this.load.recorder.nameResolved(this.journey.step, atUs, lookupUs);
  }

  opened(atUs: number, connectUs: number): void {
    this.load.recorder.connectionOpened(this.journey.step, atUs, connectUs);
  }

  secured(atUs: number, tlsUs: number, isResumed: boolean): void {
    this.load.recorder.secured(this.journey.step, atUs, tlsUs, isResumed);
  }

  ready(socket: Socket, atUs: number): void {
    this.write(socket, atUs);
  }

  private write(socket: Socket, nowUs: number): void {
    const step = this.load.steps[this.journey.step];
    if (step === undefined) throw missingPartError('step', this.journey.step);
    this.raw.begin();
    this.framer.begin(false);
    this.phase = 'firstByte';
    this.writtenUs = nowUs;
    const bytes = sentBytes(step.request, this.traceId);
    this.load.recorder.bytesSent(this.journey.step, bytes.length);
    socket.write(bytes);
  }

  read(buffer: Buffer, length: number): void {
    if (!this.pending) {
      // There is no pending request that these bytes could be a response to.
      this.closeSocket();
      return;
    }
    if (this.dialler.phase !== null) {
      this.fail(UNEXPECTED_DATA);
      return;
    }
    const { framer, raw, load } = this;
    const nowUs = load.now();
    load.recorder.bytesReceived(this.journey.step, length, nowUs);
    if (this.firstByteUs === 0) {
      this.firstByteUs = nowUs;
      this.phase = 'body';
    }
    const { sampler } = load;
    const isKept = sampler !== null && sampler.isOpen;
    if (isKept) raw.collect(buffer, 0, length, sampler.limitBytes);
    const position = framer.feed(buffer, 0, length);
    if (framer.complete && framer.refusal === null) {
      this.responded(nowUs, position < length);
      return;
    }
    if (isKept) raw.keep();
    if (framer.refusal !== null) this.fail(framer.refusal);
  }

  /** Handles the end of a response. `hasSurplus`: whether more bytes follow. They belong to no response, so the connection is closed. */
  private responded(nowUs: number, hasSurplus: boolean): void {
    const { load, response, framer } = this;
    if (isIdleTimeout(framer.status, this.responsesOnConnection, this.firstByteUs - this.writtenUs)) {
      this.sendAgain(nowUs);
      return;
    }
    const requestIndex = this.journey.step;
    const step = load.steps[requestIndex];
    response.status = framer.status;
    response.expected = step?.isExpected(framer.status) ?? false;
    response.serviceUs = nowUs - this.startUs;
    response.responseUs = response.serviceUs;
    response.firstByteUs = this.firstByteUs - this.writtenUs;
    response.transferUs = nowUs - this.firstByteUs;
    response.bodyBytes = framer.bodyBytes;
    response.onReusedConnection = this.responsesOnConnection > 0;
    response.server = load.headers.findServerHeader(framer);
    response.fromCache = load.headers.isFromCache(framer);
    load.recorder.requestCompleted(requestIndex, nowUs, response);
    this.sample(response.expected ? null : statusName(response.status), response.serviceUs / 1_000);
    this.countAddress();
    if (!load.serverSeen) load.headers.sawServer(framer, nowUs);
    if (load.headers.isOver) framer.keepWanted(false);
    this.responsesOnConnection += 1;
    this.failures = 0;
    if (hasSurplus) this.closeSocket();
    else if (!framer.keepAlive || step?.request.keepsAlive === false) this.retireSocket();
    this.settle(nowUs, true);
    const delayMs = this.pace.pauseMsAfter(requestIndex, response.serviceUs, response.expected);
    if (delayMs > 0 && !load.draining) this.wait(delayMs);
    else this.next();
  }

  broken(code: string): void {
    if (this.pending) this.lose(code);
    else this.closeSocket();
  }

  ended(): void {
    // A response without a length ends when the connection ends.
    if (this.pending && this.dialler.phase === null && this.phase === 'body') {
      this.framer.finish();
      if (this.framer.complete) {
        this.responded(this.load.now(), true);
        return;
      }
    }
    if (this.pending) this.lose(CLOSED_EARLY);
    else this.closeSocket();
  }

  /**
   * Handles a lost connection. The request is sent again only if this connection has received a response before. A new connection has not,
   * which rules out a third attempt.
   */
  private lose(code: string): void {
    const { load, journey } = this;
    const method = load.steps[journey.step]?.request.method ?? '';
    if (this.dialler.phase !== null || this.phase !== 'firstByte' || this.responsesOnConnection === 0 || !mayBeSentAgain(method, code)) {
      this.fail(code);
      return;
    }
    this.sendAgain(load.now());
  }

  private sendAgain(nowUs: number): void {
    this.closeSocket();
    this.firstByteUs = 0;
    this.load.recorder.requestResent(this.journey.step, nowUs);
    this.open();
  }

  private chooseTrace(): string | null {
    const { sampler, steps } = this.load;
    const request = steps[this.journey.step]?.request;
    return request === undefined || sampler === null || sampler.traces === null ? null : sampler.traces.next(request);
  }

  private sample(failure: string | null, serviceMs: number | null): void {
    const { sampler, steps } = this.load;
    const requestIndex = this.journey.step;
    const request = steps[requestIndex]?.request;
    if (sampler === null || !sampler.wants(requestIndex, failure, this.traceId, serviceMs)) return;
    sampler.take({
      traceId: this.traceId,
      requestIndex,
      failure,
      sent: request === undefined ? null : sentBytes(request, this.traceId),
      received: this.raw.bytes,
      serviceMs,
      captured: [],
      user: null,
    });
  }

  /** Counts the failed request and closes its connection. */
  private fail(code: string): void {
    const { load } = this;
    const nowUs = load.now();
    const phase = this.dialler.phase ?? this.phase;
    const outcome = decideOutcome(code, phase);
    load.recorder.requestFailed(this.journey.step, nowUs, outcome, code, phase, load.servers?.nameOf(undefined));
    this.sample(errorName(code, phase), null);
    this.countAddress();
    this.closeSocket();
    this.failures += 1;
    this.settle(nowUs, false);
    if (load.draining) {
      this.finish();
      return;
    }
    const delayMs = backOffMs(outcome, this.failures);
    if (delayMs === 0) this.next();
    else this.wait(delayMs);
  }

  private wait(delayMs: number): void {
    this.backOff = setTimeout(() => {
      this.backOff = null;
      this.next();
    }, delayMs);
  }

  private settle(nowUs: number, responded: boolean): void {
    const { load, journey } = this;
    this.pending = false;
    load.inFlight -= 1;
    journey.settle(responded);
    if (!journey.isOver) return;
    if (journey.isFinished) load.recorder.journeyFinished(nowUs);
    else load.recorder.journeyAbandoned(journey.failedStep ?? 0, nowUs);
  }

  /** Sends no more requests. An interrupted journey counts neither as finished nor as abandoned. */
  private finish(): void {
    if (this.client.destroyed) return;
    this.leave();
  }

  private leave(): void {
    if (this.backOff !== null) clearTimeout(this.backOff);
    this.client.destroy();
  }

  private countAddress(): void {
    const { address } = this.dialler;
    if (address !== null) this.load.countAddress(address);
  }

  private retireSocket(): void {
    const socket = this.dialler.release();
    if (socket !== null) this.load.retire(socket);
  }

  private closeSocket(): void {
    this.dialler.release()?.destroy();
  }
}
