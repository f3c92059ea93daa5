import type { Socket } from 'node:net';
import type { AnswerHead, Client, PendingAnswer } from 'autocannon';
import { errorName, type Phase, statusName } from '#core/base/errorNames.ts';
import { backOffMs, CLOSED_EARLY, codeOf, mayBeSentAgain, outcomeOf, TIMED_OUT, UNEXPECTED_DATA } from '#workers/errorClass.ts';
import { newAnswer } from '#workers/sideRecorder.ts';
import { RawAnswer } from '#workers/sampling/rawAnswer.ts';
import { StepCursor } from '#workers/journey/stepCursor.ts';
import { noSuch } from '#workers/noSuch.ts';
import type { DrivenConnection } from '../connectionsDriver.ts';
import { type AutocannonLoad, headerOf } from './autocannonLoad.ts';
import type { ConnectionPace } from '../healthyPace.ts';
import { dial, type DialListener } from './dial.ts';

/**
 * One connection of autocannon, made exact. autocannon's client parses the answers and calls back; what it gets wrong about
 * connections is replaced by own properties of the client: it would write on a connection whose answer said close, time an
 * answer from an older request, lose the answer that triggers a reconnect, reconnect without pause, and keep old listeners.
 * README.md beside this file lists each trap with its test.
 */
export class ExactClient implements DrivenConnection {
  private readonly client: Client;
  private readonly load: AutocannonLoad;
  private socket: Socket | null = null;
  private backOff: NodeJS.Timeout | null = null;
  /** Distinguishes a name lookup that is still wanted from one that was timed out. */
  private attempt = 0;
  private failedAddresses = 0;
  private failures = 0;
  private readonly pace: ConnectionPace;
  private answersOnConnection = 0;

  private readonly journey = new StepCursor();
  private readonly raw = new RawAnswer();
  /** What is being read now. */
  private chunk: Uint8Array = new Uint8Array();
  private chunkBytes = 0;

  private pending = false;
  private phase: Phase = 'resolve';
  private startUs = 0;
  private phaseUs = 0;
  private writtenUs = 0;
  private firstByteUs = 0;
  private chunkUs = 0;
  private answeredInChunk = false;
  private unexpectedData = false;
  private bodyBytes = 0;
  private keepAlive = false;
  private head: AnswerHead = { statusCode: 0, headers: [], shouldKeepAlive: false };
  private readonly answer = newAnswer();

  /** A socket that is no longer the current one has no say any more. */
  private readonly listener: DialListener = {
    onConnected: (socket, host) => socket === this.socket && this.connected(socket, host),
    onSecured: (socket) => socket === this.socket && this.secured(socket),
    onRead: (socket, bytes, length) => socket === this.socket && this.read(socket, bytes, length),
    onError: (socket, error) => socket === this.socket && this.connectionFailed(error),
    onEnd: (socket) => socket === this.socket && this.ended(socket),
  };

  constructor(client: Client, load: AutocannonLoad) {
    this.client = client;
    this.load = load;
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
    if (this.pending) this.leave();
    else this.finish();
  }

  expire(nowUs: number): void {
    if (this.pending && nowUs - this.startUs > this.load.timeoutUs) this.fail(TIMED_OUT);
  }

  private replaceMembers(): void {
    const { client } = this;
    // autocannon connects at the end of its constructor. We connect when the stage starts; by then its parser is complete.
    /* oxlint-disable no-underscore-dangle -- autocannon's names */
    client._connect = () => this.guardParser();
    client._doRequest = () => this.next();
    client._destroyConnection = () => this.closeSocket();
    /* oxlint-enable no-underscore-dangle */
    const queue = client.pipelinedRequests;
    queue.setHeaders = (head) => this.headArrived(head);
    queue.addBody = (bytes) => {
      this.bodyBytes += bytes.length;
    };
    queue.terminateRequest = () => this.terminated();
  }

  private guardParser(): void {
    const { parser } = this.client;
    const complete = parser[4];
    parser[4] = () => {
      // An interim answer (100, 103) is a message to the parser and not the end of the request.
      if (!this.unexpectedData && this.head.statusCode >= 200) complete();
    };
  }

  /** Called when this connection is free: after an answer by autocannon, after a failure, and to begin with. */
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
    this.bodyBytes = 0;
    if (this.socket === null) this.open();
    else this.write(this.socket, nowUs);
  }

  private open(): void {
    this.failedAddresses = 0;
    this.answersOnConnection = 0;
    this.attempt += 1;
    const { addresses } = this.load.endpoint;
    if (addresses.resolved) {
      this.connect();
      return;
    }
    const { attempt } = this;
    const isWanted = (): boolean => this.pending && this.attempt === attempt;
    this.phase = 'resolve';
    addresses.resolve().then(
      () => isWanted() && this.connect(),
      (error: unknown) => isWanted() && this.fail(codeOf(error)),
    );
  }

  private connect(): void {
    const { load, client } = this;
    const host = load.endpoint.addresses.candidate(this.failedAddresses);
    if (host === null) {
      this.fail('ENOTFOUND');
      return;
    }
    this.phase = 'connect';
    this.phaseUs = load.now();
    this.unexpectedData = false;
    // The parser outlives its connections: half an answer of the old one must not become the start of the new one's.
    client.parser.reinitialize('RESPONSE');
    const socket = dial(load.endpoint, host, load.readBuffer, this.listener);
    this.socket = socket;
    client.conn = socket;
  }

  private connected(socket: Socket, host: string): void {
    const { load } = this;
    const nowUs = load.now();
    load.endpoint.addresses.accepted(host);
    load.countAddress(host);
    load.recorder.connectionOpened(this.journey.step, nowUs, nowUs - this.phaseUs);
    if (load.endpoint.tlsName === null) {
      this.write(socket, nowUs);
      return;
    }
    this.phase = 'tls';
    this.phaseUs = nowUs;
  }

  private secured(socket: Socket): void {
    const nowUs = this.load.now();
    this.load.recorder.secured(this.journey.step, nowUs, nowUs - this.phaseUs, false);
    this.write(socket, nowUs);
  }

  private write(socket: Socket, nowUs: number): void {
    const step = this.load.steps[this.journey.step];
    if (step === undefined) throw noSuch('step', this.journey.step);
    this.raw.begin();
    this.phase = 'firstByte';
    this.writtenUs = nowUs;
    this.load.recorder.bytesSent(this.journey.step, step.request.bytes.length);
    socket.write(step.request.bytes);
  }

  private read(socket: Socket, buffer: Uint8Array, length: number): void {
    const nowUs = this.load.now();
    this.chunkUs = nowUs;
    this.load.recorder.bytesReceived(this.journey.step, length, nowUs);
    if (this.firstByteUs === 0) {
      this.firstByteUs = nowUs;
      this.phase = 'body';
    }
    this.answeredInChunk = false;
    this.chunk = buffer;
    this.chunkBytes = length;
    const result = this.client.parser.execute(buffer, 0, length);
    const { sampler } = this.load;
    if (sampler !== null && sampler.isOpen && this.pending && !this.answeredInChunk) this.raw.see(buffer, 0, length, sampler.limitBytes);
    this.raw.keep();
    if (socket !== this.socket) {
      // The answer ended that connection; whatever came behind it belongs to nobody.
      this.client.parser.reinitialize('RESPONSE');
      this.unexpectedData = false;
      return;
    }
    if (this.unexpectedData) this.failUnlessSettled(UNEXPECTED_DATA);
    else if (result instanceof Error) this.failUnlessSettled(codeOf(result));
  }

  /** The head of an answer, as autocannon's parser hands it to the queue of pending requests. */
  private headArrived(head: AnswerHead): void {
    // A request that was sent while this chunk was read cannot be answered by the rest of the same chunk.
    if (this.answeredInChunk) this.unexpectedData = true;
    this.head = head;
    this.keepAlive = head.shouldKeepAlive;
  }

  /** The whole answer has arrived: settles the request before autocannon reports it and asks for the next. */
  private terminated(): PendingAnswer {
    const { load, answer, head } = this;
    const slot = this.journey.step;
    const step = load.steps[slot];
    this.answeredInChunk = true;
    answer.status = head.statusCode;
    answer.expected = step?.isExpected(head.statusCode) ?? false;
    answer.serviceUs = this.chunkUs - this.startUs;
    answer.responseUs = answer.serviceUs;
    answer.firstByteUs = this.firstByteUs - this.writtenUs;
    answer.transferUs = this.chunkUs - this.firstByteUs;
    answer.bodyBytes = this.bodyBytes;
    answer.onReusedConnection = this.answersOnConnection > 0;
    answer.server = load.serverOf(head.headers);
    answer.fromCache = load.cacheWords?.ofHeaders(head.headers) ?? null;
    load.recorder.requestAnswered(slot, this.chunkUs, answer);
    this.sample(answer.expected ? null : statusName(answer.status), answer.serviceUs / 1_000);
    if (!load.serverSeen) load.sawServer(headerOf(head.headers, 'server'), this.chunkUs);
    this.answersOnConnection += 1;
    this.failures = 0;
    if (!this.keepAlive || step?.request.keepsAlive === false) this.retireSocket();
    this.settle(this.chunkUs, true);
    const delayMs = this.pace.pauseMsAfter(slot, answer.serviceUs, answer.expected);
    if (delayMs > 0 && !load.draining) this.wait(delayMs);
    return { req: undefined, headers: head, body: '', bytes: 0, duration: answer.serviceUs / 1_000 };
  }

  private connectionFailed(error: Error): void {
    const { addresses } = this.load.endpoint;
    if (!this.pending) {
      this.closeSocket();
      return;
    }
    if (this.phase === 'connect') {
      this.failedAddresses += 1;
      if (addresses.candidate(this.failedAddresses) !== null) {
        this.closeSocket();
        this.connect();
        return;
      }
      addresses.forget();
    }
    this.lose(codeOf(error));
  }

  private ended(socket: Socket): void {
    // An answer without a length ends where the connection ends.
    this.answeredInChunk = false;
    if (this.phase === 'body') {
      this.chunkUs = this.load.now();
      this.keepAlive = false;
      this.client.parser.finish();
    }
    if (socket !== this.socket) return;
    if (this.pending) this.lose(CLOSED_EARLY);
    else this.closeSocket();
  }

  /** The connection is lost. A new one has brought no response, so no request is sent a third time. */
  private lose(code: string): void {
    const { load, journey } = this;
    const method = load.steps[journey.step]?.request.method ?? '';
    if (this.phase !== 'firstByte' || this.answersOnConnection === 0 || !mayBeSentAgain(method, code)) {
      this.fail(code);
      return;
    }
    this.closeSocket();
    load.recorder.requestResent(journey.step, load.now());
    this.open();
  }

  private sample(failure: string | null, serviceMs: number | null): void {
    const { sampler, steps } = this.load;
    const slot = this.journey.step;
    if (sampler === null || !sampler.wants(slot, failure)) return;
    // What comes with the end of an answer was not kept yet.
    const received = serviceMs === null ? this.raw.bytes : Buffer.concat([this.raw.bytes, this.chunk.subarray(0, this.chunkBytes)]);
    sampler.take({ slot, failure, sent: steps[slot]?.request.bytes ?? null, received, serviceMs, captured: [], user: null });
  }

  private failUnlessSettled(code: string): void {
    if (this.pending) this.fail(code);
    else this.closeSocket();
  }

  /** The request got no complete answer; its connection is given up. */
  private fail(code: string): void {
    const { load } = this;
    const nowUs = load.now();
    const outcome = outcomeOf(code, this.phase);
    load.recorder.requestFailed(this.journey.step, nowUs, outcome, code, this.phase, load.servers?.nameOf(undefined));
    this.sample(errorName(code, this.phase), null);
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

  /** Sends nothing for a while. */
  private wait(delayMs: number): void {
    this.backOff = setTimeout(() => {
      this.backOff = null;
      this.next();
    }, delayMs);
  }

  private settle(nowUs: number, answered: boolean): void {
    const { load, journey } = this;
    this.pending = false;
    load.inFlight -= 1;
    journey.settle(answered);
    if (!journey.isOver) return;
    if (journey.isFinished) load.recorder.journeyFinished(nowUs);
    else load.recorder.journeyAbandoned(nowUs);
  }

  /** No more requests on this connection. A journey that is cut off here is neither finished nor abandoned. */
  private finish(): void {
    if (this.client.destroyed) return;
    this.leave();
  }

  private leave(): void {
    if (this.backOff !== null) clearTimeout(this.backOff);
    this.client.destroy();
  }

  private retireSocket(): void {
    if (this.socket !== null) this.load.retire(this.socket);
    this.socket = null;
  }

  private closeSocket(): void {
    const { socket } = this;
    this.socket = null;
    socket?.destroy();
  }
}
