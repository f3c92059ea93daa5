import { addressInHeader, isRedirect } from '#core/work/journey/redirects.ts';
import { checkError } from '#core/work/bodyCheck/errorTexts.ts';
import type { Phase } from '#core/base/errorNames.ts';
import type { StageRecorder, StreamEnd } from '#workers/recorder.ts';
import { type BuiltRequest, addHeaders } from '#workers/requestBytes.ts';
import { EventParser } from '#workers/streams/eventParser.ts';
import { ListenerRecord } from '#workers/streams/listenerRecord.ts';
import { SocketReading, UPGRADE_HEADERS } from '#workers/streams/socketReading.ts';
import type { StreamReading, StreamRedirect, StreamRules } from '#workers/streams/eventReader.ts';
import type { UnsendableRequest } from '#workers/journey/plainWalk.ts';
import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import { Exchange, type ExchangeOwner } from './exchange.ts';
import type { Http2Carrier } from './http2/carrier.ts';
import type { NativeLoad } from './nativeLoad.ts';

/** Reconnection delay of Chromium if the server sets none. */
const DEFAULT_RETRY_MS = 3_000;
/** Matches an event id that can be sent back in a header. A control character in the id could end the header. */
// eslint-disable-next-line no-control-regex -- exactly those must not be sent
const SENDABLE_EVENT_ID_PATTERN = /^[^\u0000-\u001f\u007f]{1,4096}$/;
/** Maximum number of redirects in browsers (Fetch, section 4.4). */
const MAX_REDIRECTS = 20;
const EVENT_STREAM_TYPE_PATTERN = /^text\/event-stream\s*(?:;|$)/i;

export interface HeldStream {
  /** Closes the stream without reconnecting. If it is being reconnected, it is closed when the response arrives. */
  leave(nowUs: number): void;
}

/** Receives the events of a stream. */
export interface StreamOwner extends ExchangeOwner {
  /** Called before `responded` if the stream stays open for `holdUs`. */
  holds(stream: HeldStream, holdUs: number): void;
  /** Returns the recorder of the stage at `atUs`. */
  recorderFor(atUs: number): StageRecorder;
  /** Called when a cut stream reconnects while the user sends other requests. The response is outstanding until {@link settledBeside}. */
  outstandingBeside(): void;
  settledBeside(atUs: number): void;
}

/**
 * One listener of an event stream or a WebSocket. The opening request is complete once its response head has arrived. If the stream is cut,
 * the listener reconnects as browsers do: after the server's retry time, with the id of the last event, until a response is not a stream.
 */
export class StreamExchange extends Exchange implements HeldStream {
  private readonly streamOwner: StreamOwner;
  private rules: StreamRules | null = null;
  private record: ListenerRecord | null = null;
  private stream: StreamReading | null = null;
  private socket: SocketReading | null = null;
  /** Why the response opened no WebSocket; null if it opened one. */
  private handshakeError: string | null = null;
  private messageTimer: NodeJS.Timeout | null = null;
  private state: 'closed' | 'opening' | 'reopening' | 'open' = 'closed';
  /** Whether the owner does not know yet that the stream is open. */
  private isUnreported = false;
  private isRefused = false;
  /** The opening request, without the last event id. */
  private openingStep: DrivenStep | null = null;
  private redirect: StreamRedirect | null = null;
  private redirects = 0;
  private url: URL | null = null;
  /** Whether the request of a reconnect is outstanding. */
  private isPending = false;
  /** Whether the listener left during a reconnect. The stream is then closed when the response arrives. */
  private isLeaving = false;
  private retryTimer: NodeJS.Timeout | null = null;

  /** `carrier` is the HTTP/2 connection that is shared with the owner's requests. */
  constructor(load: NativeLoad, owner: StreamOwner, carrier: Http2Carrier | null) {
    super(load, owner, 'measured', carrier);
    this.streamOwner = owner;
  }

  get isOpening(): boolean {
    return this.state === 'opening';
  }

  override send(step: DrivenStep | UnsendableRequest, intendedUs: number, nowUs: number, recorder: StageRecorder): void {
    this.close();
    const rules = 'unsendable' in step ? null : (step.stream ?? null);
    this.rules = rules;
    if (rules !== null) this.listen(rules, step.requestIndex);
    this.state = 'opening';
    if ('unsendable' in step) super.send(step, intendedUs, nowUs, recorder);
    else this.open((this.openingStep = step), intendedUs, nowUs, recorder);
  }

  private open(step: DrivenStep, intendedUs: number, nowUs: number, recorder: StageRecorder): void {
    this.redirects = 0;
    this.url = step.request.url;
    super.send({ ...step, request: this.prepareRequest(step.request) }, intendedUs, nowUs, recorder);
    this.transport.framed.onBody = this.onBody;
  }

  private listen({ reader, socket }: StreamRules, requestIndex: number): void {
    const record = new ListenerRecord(requestIndex, reader, this.load, this.streamOwner);
    this.record = record;
    this.socket =
      socket === null ? null : new SocketReading(record, (bytes) => this.transport.push(bytes), reader.wantsData, socket.protocols);
    this.stream = this.socket ?? new EventParser(record, reader.wantsData);
  }

  override received(bytes: number, atUs: number): void {
    this.tryOpen(atUs);
    super.received(bytes, atUs);
    if (this.state !== 'open') return;
    this.record?.received(atUs);
    if (this.isRefused) {
      this.closeStream();
      this.cut(atUs, 'lost');
    } else if (this.isLeaving) {
      this.hangUp(atUs);
    } else if (this.isUnreported) {
      this.isUnreported = false;
      this.streamOwner.holds(this, this.rules?.holdUs ?? 0);
      this.streamOwner.responded(atUs, 0);
    }
    this.settleOutstanding(atUs);
  }

  /** Sends the plan's messages, now and regularly after the interval in the plan. */
  private sendMessages(): void {
    const { rules, socket } = this;
    if (rules === null || rules.socket === null || socket === null) return;
    const nowUs = this.load.now();
    for (const text of rules.socket.messages()) {
      this.transport.push(socket.message(text));
      this.record?.messageSent(nowUs);
    }
    if (rules.socket.everyUs !== null) this.messageTimer = setTimeout(() => this.sendMessages(), rules.socket.everyUs / 1_000);
  }

  override responded(atUs: number, bytes: number): void {
    this.tryOpen(atUs);
    if (this.state !== 'open') {
      this.redirect = this.readRedirect();
      super.responded(atUs, bytes);
      return;
    }
    if (bytes > 0) super.received(bytes, atUs);
    if (!this.transport.framed.keepAlive) this.load.retire(this.transport.release());
    this.cut(atUs, 'ended');
  }

  override failed(code: string, phase: Phase, atUs: number): void {
    if (this.state === 'open') this.cut(atUs, 'lost');
    else super.failed(code, phase, atUs);
  }

  leave(nowUs: number): void {
    this.isLeaving = this.state === 'reopening';
    if (!this.isLeaving) this.hangUp(nowUs);
  }

  override close(): void {
    const nowUs = this.load.now();
    this.hangUp(nowUs);
    this.settleOutstanding(nowUs);
  }

  private hangUp(nowUs: number): void {
    if (this.retryTimer !== null) clearTimeout(this.retryTimer);
    this.retryTimer = null;
    if (this.state === 'open') {
      this.closeStream();
      this.end(nowUs, 'left');
    }
    this.state = 'closed';
    this.isLeaving = false;
    super.close();
  }

  /** Closes the connection of an open stream. For a WebSocket, a close frame is sent first. */
  private closeStream(): void {
    const { socket, load, transport } = this;
    if (socket !== null) {
      const farewell = socket.farewell();
      this.wrote(farewell.length);
      load.closeAfter(transport.release(), farewell);
    }
    super.close();
  }

  protected override reportResponse(atUs: number, delayMs: number): void {
    if (this.redirect !== null && this.follow(this.redirect, atUs)) return;
    // If the response to a reconnect is not a stream, the listener ends.
    const isAwaited = this.state === 'opening';
    this.state = 'closed';
    if (isAwaited) this.streamOwner.responded(atUs, delayMs);
    else this.settleOutstanding(atUs);
  }

  protected override reportFailure(atUs: number, delayMs: number): void {
    if (this.state === 'opening') {
      this.state = 'closed';
      this.streamOwner.failed(atUs, delayMs);
    } else {
      this.scheduleReopen();
      this.settleOutstanding(atUs);
    }
  }

  protected override get isRedirected(): boolean {
    return this.redirect !== null;
  }

  protected override get failedBodyCheck(): string | null {
    return this.state === 'open' || this.isRedirected
      ? null
      : checkError('NOT_A_STREAM', this.handshakeError ?? this.contentType ?? 'no content type');
  }

  private get contentType(): string | undefined {
    return this.load.headerOf(this.transport.framed, 'content-type');
  }

  private readonly onBody = (buffer: Buffer, start: number, end: number): void => {
    this.tryOpen(this.load.readUs);
    if (this.state === 'open' && this.stream?.feed(buffer, start, end) === false) this.isRefused = true;
  };

  /** Opens the stream if the complete response head confirms it. */
  private tryOpen(atUs: number): void {
    const { state, transport } = this;
    if ((state !== 'opening' && state !== 'reopening') || !transport.framed.headComplete) return;
    if (!this.takeStatus() || !this.isStream()) return;
    this.state = 'open';
    this.isUnreported = state === 'opening';
    this.stream?.begin();
    this.isRefused = false;
    this.recordResponse(atUs);
    transport.hold();
    // The request that was sent contains the old WebSocket key, so it cannot be used again.
    this.step = this.openingStep;
    this.recorder = this.streamOwner.recorderFor(atUs);
    this.record?.opened(atUs, state === 'reopening');
    if (!this.isLeaving) this.sendMessages();
  }

  /** Returns the redirect of the current response; null if browsers would not follow it. */
  private readRedirect(): StreamRedirect | null {
    const { rules, url, load, transport } = this;
    if (rules === null || url === null || !isRedirect(transport.framed.status) || this.redirects >= MAX_REDIRECTS) return null;
    const [location] = load.headerOf(transport.framed, 'location')?.split('\n') ?? [];
    return location === undefined || location.trim() === '' ? null : rules.redirect(url, addressInHeader(location));
  }

  /** Follows a redirect as part of the same opening. Returns false if no more requests may be sent. */
  private follow({ url, request }: StreamRedirect, atUs: number): boolean {
    const { load, openingStep } = this;
    this.redirect = null;
    if (openingStep === null || !load.stage.mayFetch()) return false;
    this.redirects += 1;
    this.url = url;
    const recorder = this.streamOwner.recorderFor(atUs);
    const nowUs = load.now();
    const reader = this.state === 'opening' ? openingStep.reader : null;
    super.send({ ...openingStep, request: this.prepareRequest(request()), reader }, atUs, nowUs, recorder);
    recorder.startedLate(openingStep.requestIndex, Math.max(0, nowUs - atUs));
    this.transport.framed.onBody = this.onBody;
    return true;
  }

  private settleOutstanding(atUs: number): void {
    if (!this.isPending) return;
    this.isPending = false;
    this.streamOwner.settledBeside(atUs);
  }

  private isStream(): boolean {
    const { socket, load, transport } = this;
    if (socket === null) return EVENT_STREAM_TYPE_PATTERN.test(this.contentType ?? '');
    const { framed } = transport;
    const headerText = (name: (typeof UPGRADE_HEADERS)[number]): string | undefined => load.headerOf(framed, name);
    this.handshakeError = socket.findFault({
      status: framed.status,
      upgrade: headerText('upgrade'),
      connection: framed.namesUpgrade ? 'upgrade' : undefined,
      accept: headerText('sec-websocket-accept'),
      protocol: headerText('sec-websocket-protocol'),
      extensions: headerText('sec-websocket-extensions'),
    });
    return this.handshakeError === null;
  }

  /** Returns the request with the last event id, or with a new WebSocket key. */
  private prepareRequest(request: BuiltRequest): BuiltRequest {
    const { socket } = this;
    if (socket !== null) return { ...addHeaders(request, socket.headers(this.load.origin)), upgrades: true };
    const lastId = this.stream?.lastId ?? '';
    return SENDABLE_EVENT_ID_PATTERN.test(lastId) ? addHeaders(request, { 'Last-Event-ID': lastId }) : request;
  }

  private cut(atUs: number, end: StreamEnd): void {
    this.end(atUs, end);
    if (this.isUnreported) {
      this.isUnreported = false;
      this.streamOwner.holds(this, this.rules?.holdUs ?? 0);
      this.scheduleReopen();
      this.streamOwner.responded(atUs, 0);
    } else {
      this.scheduleReopen();
      this.settleOutstanding(atUs);
    }
  }

  private end(atUs: number, end: StreamEnd): void {
    this.state = 'closed';
    if (this.messageTimer !== null) clearTimeout(this.messageTimer);
    this.messageTimer = null;
    this.record?.ended(atUs, end);
  }

  private scheduleReopen(): void {
    this.state = 'closed';
    if (this.isLeaving) return;
    const waitMs = this.stream?.retryMs ?? DEFAULT_RETRY_MS;
    const dueUs = this.load.now() + waitMs * 1_000;
    this.retryTimer = setTimeout(() => this.reopen(dueUs), waitMs);
  }

  private reopen(dueUs: number): void {
    const { openingStep, load } = this;
    this.retryTimer = null;
    if (openingStep === null || !load.stage.mayStart()) return;
    const nowUs = load.now();
    this.state = 'reopening';
    this.isPending = true;
    this.streamOwner.outstandingBeside();
    // The journey has continued, so its reader must not receive this response.
    const recorder = this.streamOwner.recorderFor(dueUs);
    this.open({ ...openingStep, reader: null }, dueUs, nowUs, recorder);
    recorder.startedLate(openingStep.requestIndex, Math.max(0, nowUs - dueUs));
  }
}
