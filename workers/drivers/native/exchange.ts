import type { KeptResponse } from '#workers/bodyCheck/keptResponse.ts';
import type { UnsendableRequest } from '#workers/journey/plainWalk.ts';
import { errorName, type Phase, readErrorName, statusName } from '#core/base/errorNames.ts';
import { backOffMs, NEVER_SENT, decideOutcome } from '#workers/errorClass.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import { type Response, newResponse, type RequestRecorder } from '#workers/sideRecorder.ts';
import type { Sampler } from '#workers/sampling/sampler.ts';
import { addTraceparent, sentBytes } from '#workers/sampling/tracedRequests.ts';
import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import type { AfterReads, Arrival } from './afterReads.ts';
import type { ConnectionPace } from '../loadDriver.ts';
import type { Http2Carrier } from './http2/carrier.ts';
import type { NativeLoad } from './nativeLoad.ts';
import type { Transport, TransportListener } from './transport.ts';

/** Receives the outcome of the current request. Both calls may send the next request. */
export interface ExchangeOwner {
  /** `delayMs` is the minimum pause before the next request of this connection. */
  responded(atUs: number, delayMs: number): void;
  failed(atUs: number, delayMs: number): void;
}

/** Sends the requests of one user, one after the other. */
export interface Sender {
  readonly isBusy: boolean;
  /** Whether the next request can use an existing connection. */
  readonly isConnected: boolean;
  /** Sends a request that was scheduled for `intendedUs` and starts at `nowUs`. Must not be called while a request is in flight. */
  send(step: DrivenStep | UnsendableRequest, intendedUs: number, nowUs: number, recorder: StageRecorder): void;
  /** Resets the back-off, because another user takes over the connection. */
  forgetFailures(): void;
  /** Ends requests that have exceeded their time limit. */
  expire(nowUs: number): void;
  /** Closes open connections. Requests in flight stay outstanding. */
  close(): void;
}

/** Sends single requests over one transport and records their outcomes. The caller decides which request is sent next, and when. */
export class Exchange implements TransportListener, Arrival, Sender {
  protected readonly load: NativeLoad;
  protected readonly transport: Transport;
  protected step: DrivenStep | null = null;
  protected requestIndex = 0;
  private readonly afterReads: AfterReads | null;
  private readonly owner: ExchangeOwner;
  private readonly kept: KeptResponse | null;
  private user: number | null = null;
  private intendedUs = 0;
  protected recorder: RequestRecorder;
  private readonly kind: 'measured' | 'side';
  private failures = 0;
  private readonly pace: ConnectionPace;
  private isUnsent = false;
  /** Trace id of the current request; null if there is none. */
  private traceId: string | null = null;
  private respondedUs = 0;
  private lastBytes = 0;
  private readonly response = newResponse();

  /** With the kind `side`, only the number and the outcomes of the requests are recorded. */
  constructor(
    load: NativeLoad,
    owner: ExchangeOwner,
    kind: 'measured' | 'side' = 'measured',
    carrier: Http2Carrier | null = load.createCarrier(),
  ) {
    this.kind = kind;
    this.load = load;
    this.afterReads = load.afterReads;
    this.owner = owner;
    this.recorder = load.stage.recorder;
    this.pace = load.stage.pace.ofConnection();
    this.transport = load.createTransport(carrier, this);
    this.kept = load.keepResponse(this.transport.framed);
  }

  get isBusy(): boolean {
    return this.transport.isBusy || this.isUnsent;
  }

  get isConnected(): boolean {
    return this.transport.isOpen;
  }

  send(step: DrivenStep | UnsendableRequest, intendedUs: number, nowUs: number, recorder: RequestRecorder): void {
    this.requestIndex = step.requestIndex;
    this.user = step.user ?? null;
    this.intendedUs = intendedUs;
    this.traceId = null;
    const { wait } = step;
    this.recorder = wait?.recorder ?? recorder;
    this.recorder.requestStarted(step.requestIndex, nowUs);
    if (wait?.recorder === null) {
      recorder.waitBegan(step.requestIndex, nowUs);
      wait.recorder = recorder;
    }
    this.countInFlight(1);
    if ('unsendable' in step) {
      this.settleUnsent(step.unsendable);
      return;
    }
    this.step = step;
    this.kept?.begin(step.reader);
    const { sampler } = this.load;
    if (sampler !== null && sampler.traces !== null && this.kind === 'measured') this.traceId = sampler.traces.next(step.request);
    this.transport.send(this.traceId === null ? step.request : addTraceparent(step.request, this.traceId), nowUs);
  }

  forgetFailures(): void {
    this.failures = 0;
  }

  expire(nowUs: number): void {
    this.transport.expire(nowUs);
  }

  close(): void {
    const { transport } = this;
    if (transport.isBusy && transport.writtenUs < transport.startUs) this.countNeverSent();
    this.isUnsent = false;
    this.kept?.forget();
    transport.close();
  }

  /** Counts a request that still waits for a connection or a stream when its sender is closed. The server never received it. */
  private countNeverSent(): void {
    this.recorder.requestFailed(this.requestIndex, this.load.now(), 'neverSent', NEVER_SENT, 'connect', null);
    this.countInFlight(-1);
  }

  resolved(atUs: number, lookupUs: number): void {
    this.afterReads?.settle();
    this.recorder.nameResolved(this.requestIndex, atUs, lookupUs);
  }

  opened(atUs: number, connectUs: number): void {
    this.afterReads?.settle();
    this.recorder.connectionOpened(this.requestIndex, atUs, connectUs);
  }

  secured(atUs: number, tlsUs: number, isResumed: boolean): void {
    this.afterReads?.settle();
    this.recorder.secured(this.requestIndex, atUs, tlsUs, isResumed);
  }

  wrote(bytes: number): void {
    this.recorder.bytesSent(this.requestIndex, bytes);
  }

  resent(atUs: number): void {
    this.afterReads?.settle();
    if (this.step !== null) this.kept?.begin(this.step.reader);
    this.recorder.requestResent(this.requestIndex, atUs);
  }

  received(bytes: number, atUs: number): void {
    this.afterReads?.settle();
    this.recorder.bytesReceived(this.requestIndex, bytes, atUs);
  }

  responded(atUs: number, bytes: number): void {
    const { load, response, afterReads } = this;
    this.respondedUs = atUs;
    this.lastBytes = bytes;
    this.takeStatus();
    // The body stays in the read buffer only until the next socket is read.
    const readsBody = this.kept !== null || !response.expected || load.sampler?.wants(this.requestIndex, null) === true;
    if (afterReads !== null && !readsBody) {
      afterReads.settleLater(this);
      return;
    }
    afterReads?.settle();
    this.settle();
  }

  settle(): void {
    const { load, transport, step, respondedUs } = this;
    const { framed } = transport;
    const isRead = this.recordResponse(respondedUs);
    if (load.needsNoMoreHeaders) framed.keepWanted(false);
    if (!framed.keepAlive || load.reuse === 'never' || step?.request.keepsAlive === false) load.retire(transport.release());
    // The time for reading a body must not count as the server's.
    const { expected, failedCheck, serviceUs } = this.response;
    const delayMs = this.kind === 'side' ? 0 : this.pace.pauseMsAfter(this.requestIndex, serviceUs, expected && failedCheck === null);
    this.reportResponse(isRead ? load.now() : respondedUs, delayMs);
  }

  /** Notes the status of the response. Returns whether it counts as successful. */
  protected takeStatus(): boolean {
    const { response, step } = this;
    const { status } = this.transport.framed;
    response.status = status;
    response.expected = this.isRedirected || (step?.isExpected(status) ?? false);
    return response.expected;
  }

  /** Records the complete response. Returns whether its body was read. */
  protected recordResponse(atUs: number): boolean {
    const { load, transport, response, step, kept, lastBytes } = this;
    const { framed } = transport;
    if (lastBytes > 0) this.recorder.bytesReceived(this.requestIndex, lastBytes, atUs);
    response.failedCheck = null;
    response.isUnchecked = false;
    response.comparesLength = step?.stream === undefined;
    response.serviceUs = atUs - transport.startUs;
    response.responseUs = atUs - this.intendedUs;
    response.firstByteUs = transport.firstByteUs - transport.writtenUs;
    response.transferUs = atUs - transport.firstByteUs;
    response.bodyBytes = framed.bodyBytes;
    response.onReusedConnection = transport.responses > 1;
    response.server = load.headers.findServerHeader(framed);
    response.fromCache = load.headers.isFromCache(framed);
    response.isStillWaiting = false;
    response.waitedUs = null;
    response.sessionAgeUs = null;
    response.place = null;
    const reader = step?.reader ?? null;
    const isRead = kept !== null && reader !== null && (response.expected || reader.readsAll);
    if (isRead) reader.read(response, kept);
    kept?.forget();
    if (response.expected) response.failedCheck ??= this.failedBodyCheck;
    this.recorder.requestCompleted(this.requestIndex, atUs, response);
    if (load.sampler !== null) this.sample(load.sampler, toFailure(response), response.serviceUs / 1_000);
    if (!load.stage.serverSeen && this.kind === 'measured') load.headers.sawServer(framed, atUs);
    this.failures = 0;
    this.countInFlight(-1);
    this.countAddress();
    return isRead;
  }

  protected reportResponse(atUs: number, delayMs: number): void {
    this.owner.responded(atUs, delayMs);
  }

  protected reportFailure(atUs: number, delayMs: number): void {
    this.owner.failed(atUs, delayMs);
  }

  /** Whether the response is a redirect that is followed, which counts as successful. */
  protected get isRedirected(): boolean {
    return false;
  }

  /** Failed check of a response with the expected status, as recorded; null if there is none. */
  protected get failedBodyCheck(): string | null {
    return null;
  }

  private countAddress(): void {
    const { address } = this.transport;
    if (address !== null && this.kind === 'measured') this.load.stage.countAddress(address);
  }

  private countInFlight(change: number): void {
    if (this.kind === 'side') this.load.stage.sideInFlight += change;
    else this.load.stage.inFlight += change;
  }

  private sample(sampler: Sampler, failure: string | null, serviceMs: number | null): void {
    if (!sampler.wants(this.requestIndex, failure, this.traceId, serviceMs)) return;
    const wasSent = failure === null || readErrorName(failure).phase !== 'build';
    sampler.take({
      requestIndex: this.requestIndex,
      failure,
      sent: wasSent && this.step !== null ? sentBytes(this.step.request, this.traceId) : null,
      received: wasSent ? this.transport.raw.bytes : null,
      serviceMs,
      captured: serviceMs === null ? [] : (this.step?.reader?.captured ?? []),
      user: this.user,
      traceId: this.traceId,
    });
  }

  /** Fails the request in a microtask, because the caller of `send` has not returned yet. */
  private settleUnsent(reason: string): void {
    this.isUnsent = true;
    queueMicrotask(() => {
      if (!this.isUnsent) return;
      this.isUnsent = false;
      this.failed(reason, 'build', this.load.now());
    });
  }

  failed(code: string, phase: Phase, atUs: number): void {
    this.afterReads?.settle();
    this.kept?.forget();
    const outcome = decideOutcome(code, phase);
    // A request that was never sent is counted for no server.
    const server = outcome === 'notMade' ? null : this.load.servers?.nameOf(undefined);
    this.recorder.requestFailed(this.requestIndex, atUs, outcome, code, phase, server);
    if (this.load.sampler !== null) this.sample(this.load.sampler, errorName(code, phase), null);
    this.failures += 1;
    this.countInFlight(-1);
    if (outcome !== 'notMade') this.countAddress();
    this.reportFailure(atUs, backOffMs(outcome, this.failures));
  }
}

function toFailure({ expected, failedCheck, status }: Readonly<Response>): string | null {
  return failedCheck ?? (expected ? null : statusName(status));
}
