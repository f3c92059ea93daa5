import { addressInHeader, isRedirect } from '#core/work/journey/loginRedirect.ts';
import { checkError } from '#core/work/bodyCheck/words.ts';
import type { Phase } from '#core/base/errorNames.ts';
import type { StageRecorder, StreamEnd } from '#workers/recorder.ts';
import { type BuiltRequest, withHeaders } from '#workers/requestBytes.ts';
import { EventParser } from '#workers/streams/eventParser.ts';
import { ListenerRecord } from '#workers/streams/listenerRecord.ts';
import { SocketReading, UPGRADE_HEADERS } from '#workers/streams/socketReading.ts';
import type { StreamReading, StreamRedirect, StreamRules } from '#workers/streams/streamReading.ts';
import type { Unsendable } from '#workers/journey/plainWalk.ts';
import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import { Exchange, type ExchangeOwner } from './exchange.ts';
import type { Http2Carrier } from './http2/carrier.ts';
import type { NativeLoad } from './nativeLoad.ts';

/** What Chromium waits before it comes back, where a server does not say how long. */
const USUAL_RETRY_MS = 3_000;
/** Of an id that is sent back: control characters would end the header. */
// eslint-disable-next-line no-control-regex -- exactly those must not be sent
const SENDABLE_ID = /^[^\u0000-\u001f\u007f]{1,4096}$/;
/** As browsers follow them (Fetch, 4.4). */
const MOST_REDIRECTS = 20;
const EVENT_STREAM = /^text\/event-stream\s*(?:;|$)/i;

/** A stream as its owner sees it. */
export interface HeldStream {
  /** The listener leaves: what is open is closed, and nobody comes back. What is asked for anew is left when it is answered. */
  leave(nowUs: number): void;
}

/** Whose stream it is. */
export interface StreamOwner extends ExchangeOwner {
  /** The stream is open, and its owner stays with it for so long. Told just before the answer. */
  holds(stream: HeldStream, holdUs: number): void;
  /** Where is recorded what comes at an instant. */
  recorderFor(atUs: number): StageRecorder;
  /** A stream that was cut is asked for anew, beside everything else: that answer is owed too, until {@link settledBeside}. */
  owedBeside(): void;
  settledBeside(atUs: number): void;
}

/**
 * One listener of an event stream or a WebSocket. It opens the stream as a request, whose answer counts when its head is there; takes the events apart; and comes back
 * when the stream is cut, as browsers do: after the time that the server asked for, with the id of the last event, until it gets an answer that is no stream.
 */
export class StreamExchange extends Exchange implements HeldStream {
  private readonly streamOwner: StreamOwner;
  private rules: StreamRules | null = null;
  private record: ListenerRecord | null = null;
  private stream: StreamReading | null = null;
  private socket: SocketReading | null = null;
  /** Why the answer opened no WebSocket. */
  private fault: string | null = null;
  private talk: NodeJS.Timeout | null = null;
  private state: 'closed' | 'opening' | 'reopening' | 'open' = 'closed';
  /** The owner has not been told yet that it is open. */
  private isNews = false;
  private isRefused = false;
  /** As it is sent each time, before it is told of the last id. */
  private first: DrivenStep | null = null;
  /** Where the present answer leads. */
  private redirect: StreamRedirect | null = null;
  private redirects = 0;
  private url: URL | null = null;
  /** The owner is owed the answer to a request that opens the stream again. */
  private isOwed = false;
  /** Who was gone when the stream was asked for anew leaves it as soon as it is answered. */
  private isLeaving = false;
  private retry: NodeJS.Timeout | null = null;

  /** `carrier`: the connection of HTTP/2 that it shares with the requests of its owner. */
  constructor(load: NativeLoad, owner: StreamOwner, carrier: Http2Carrier | null) {
    super(load, owner, 'measured', carrier);
    this.streamOwner = owner;
  }

  /** Its owner waits for the head of the answer. */
  get isOpening(): boolean {
    return this.state === 'opening';
  }

  override send(step: DrivenStep | Unsendable, intendedUs: number, nowUs: number, recorder: StageRecorder): void {
    this.close();
    const rules = 'unsendable' in step ? null : (step.stream ?? null);
    this.rules = rules;
    if (rules !== null) this.listen(rules, step.slot);
    this.state = 'opening';
    if ('unsendable' in step) super.send(step, intendedUs, nowUs, recorder);
    else this.ask((this.first = step), intendedUs, nowUs, recorder);
  }

  private ask(step: DrivenStep, intendedUs: number, nowUs: number, recorder: StageRecorder): void {
    this.redirects = 0;
    this.url = step.request.url;
    super.send({ ...step, request: this.requestOf(step.request) }, intendedUs, nowUs, recorder);
    this.transport.framed.onBody = this.onBody;
  }

  /** A listener who knows of nothing that came before. */
  private listen({ reader, socket }: StreamRules, slot: number): void {
    const record = new ListenerRecord(slot, reader, this.load, this.streamOwner);
    this.record = record;
    this.socket =
      socket === null ? null : new SocketReading(record, (bytes) => this.transport.push(bytes), reader.wantsData, socket.protocols);
    this.stream = this.socket ?? new EventParser(record, reader.wantsData);
  }

  override received(bytes: number, atUs: number): void {
    this.tryOpen(atUs);
    super.received(bytes, atUs);
    if (this.state !== 'open') return;
    this.record?.heard(atUs);
    if (this.isRefused) {
      this.part();
      this.cut(atUs, 'lost');
    } else if (this.isLeaving) {
      this.hangUp(atUs);
    } else if (this.isNews) {
      this.isNews = false;
      this.streamOwner.holds(this, this.rules?.holdUs ?? 0);
      this.streamOwner.answered(atUs, 0);
    }
    this.settleOwed(atUs);
  }

  /** Says what the plan says, and again when it is time. */
  private say(): void {
    const { rules, socket } = this;
    if (rules === null || rules.socket === null || socket === null) return;
    const nowUs = this.load.now();
    for (const text of rules.socket.messages()) {
      this.transport.push(socket.message(text));
      this.record?.said(nowUs);
    }
    if (rules.socket.everyUs !== null) this.talk = setTimeout(() => this.say(), rules.socket.everyUs / 1_000);
  }

  override answered(atUs: number, bytes: number): void {
    this.tryOpen(atUs);
    if (this.state !== 'open') {
      this.redirect = this.redirectOf();
      super.answered(atUs, bytes);
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
    this.settleOwed(nowUs);
  }

  private hangUp(nowUs: number): void {
    if (this.retry !== null) clearTimeout(this.retry);
    this.retry = null;
    if (this.state === 'open') {
      this.part();
      this.end(nowUs, 'left');
    }
    this.state = 'closed';
    this.isLeaving = false;
    super.close();
  }

  /** Closes the connection of an open stream: that of a WebSocket with a word to the server. */
  private part(): void {
    const { socket, load, transport } = this;
    if (socket !== null) {
      const farewell = socket.farewell();
      this.wrote(farewell.length);
      load.part(transport.release(), farewell);
    }
    super.close();
  }

  protected override tell(atUs: number, delayMs: number): void {
    if (this.redirect !== null && this.follow(this.redirect, atUs)) return;
    // Who comes back to something else than a stream stays away.
    const isAwaited = this.state === 'opening';
    this.state = 'closed';
    if (isAwaited) this.streamOwner.answered(atUs, delayMs);
    else this.settleOwed(atUs);
  }

  protected override tellFailure(atUs: number, delayMs: number): void {
    if (this.state === 'opening') {
      this.state = 'closed';
      this.streamOwner.failed(atUs, delayMs);
    } else {
      this.comeBack();
      this.settleOwed(atUs);
    }
  }

  protected override get leadsOn(): boolean {
    return this.redirect !== null;
  }

  protected override get flaw(): string | null {
    return this.state === 'open' || this.leadsOn ? null : checkError('NOT_A_STREAM', this.fault ?? this.contentType ?? 'no content type');
  }

  private get contentType(): string | undefined {
    return this.load.headerOf(this.transport.framed, 'content-type');
  }

  private readonly onBody = (buffer: Buffer, start: number, end: number): void => {
    this.tryOpen(this.load.readUs);
    if (this.state === 'open' && this.stream?.feed(buffer, start, end) === false) this.isRefused = true;
  };

  /** The stream is open when the head of its answer is there, and says so. */
  private tryOpen(atUs: number): void {
    const { state, transport } = this;
    if ((state !== 'opening' && state !== 'reopening') || !transport.framed.headComplete) return;
    if (!this.takeStatus() || !this.isStream()) return;
    this.state = 'open';
    this.isNews = state === 'opening';
    this.stream?.begin();
    this.isRefused = false;
    this.countAnswer(atUs);
    transport.hold();
    // What was sent, with the key of this socket, is of no use any more.
    this.step = this.first;
    this.recorder = this.streamOwner.recorderFor(atUs);
    this.record?.opened(atUs, state === 'reopening');
    if (!this.isLeaving) this.say();
  }

  /** Where the present answer leads; null where a browser goes nowhere. */
  private redirectOf(): StreamRedirect | null {
    const { rules, url, load, transport } = this;
    if (rules === null || url === null || !isRedirect(transport.framed.status) || this.redirects >= MOST_REDIRECTS) return null;
    const [location] = load.headerOf(transport.framed, 'location')?.split('\n') ?? [];
    return location === undefined ? null : rules.redirect(url, addressInHeader(location));
  }

  /** Asks for the stream where the answer leads, as part of the same opening; false where nothing more may be asked for. */
  private follow({ url, request }: StreamRedirect, atUs: number): boolean {
    const { load, first } = this;
    this.redirect = null;
    if (first === null || !load.stage.mayFetch()) return false;
    this.redirects += 1;
    this.url = url;
    const recorder = this.streamOwner.recorderFor(atUs);
    const nowUs = load.now();
    const reader = this.state === 'opening' ? first.reader : null;
    super.send({ ...first, request: this.requestOf(request()), reader }, atUs, nowUs, recorder);
    recorder.startedLate(first.slot, Math.max(0, nowUs - atUs));
    this.transport.framed.onBody = this.onBody;
    return true;
  }

  private settleOwed(atUs: number): void {
    if (!this.isOwed) return;
    this.isOwed = false;
    this.streamOwner.settledBeside(atUs);
  }

  private isStream(): boolean {
    const { socket, load, transport } = this;
    if (socket === null) return EVENT_STREAM.test(this.contentType ?? '');
    const { framed } = transport;
    const of = (name: (typeof UPGRADE_HEADERS)[number]): string | undefined => load.headerOf(framed, name);
    this.fault = socket.faultOf({
      status: framed.status,
      upgrade: of('upgrade'),
      connection: framed.namesUpgrade ? 'upgrade' : undefined,
      accept: of('sec-websocket-accept'),
      protocol: of('sec-websocket-protocol'),
      extensions: of('sec-websocket-extensions'),
    });
    return this.fault === null;
  }

  /** The request as it is sent: a WebSocket asks with a new key each time. */
  private requestOf(request: BuiltRequest): BuiltRequest {
    const { socket } = this;
    if (socket !== null) return { ...withHeaders(request, socket.headers(this.load.origin)), upgrades: true };
    const lastId = this.stream?.lastId ?? '';
    return SENDABLE_ID.test(lastId) ? withHeaders(request, { 'Last-Event-ID': lastId }) : request;
  }

  private cut(atUs: number, how: StreamEnd): void {
    this.end(atUs, how);
    if (this.isNews) {
      this.isNews = false;
      this.streamOwner.holds(this, this.rules?.holdUs ?? 0);
      this.comeBack();
      this.streamOwner.answered(atUs, 0);
    } else {
      this.comeBack();
      this.settleOwed(atUs);
    }
  }

  private end(atUs: number, how: StreamEnd): void {
    this.state = 'closed';
    if (this.talk !== null) clearTimeout(this.talk);
    this.talk = null;
    this.record?.ended(atUs, how);
  }

  private comeBack(): void {
    this.state = 'closed';
    if (this.isLeaving) return;
    const waitMs = this.stream?.retryMs ?? USUAL_RETRY_MS;
    const dueUs = this.load.now() + waitMs * 1_000;
    this.retry = setTimeout(() => this.reopen(dueUs), waitMs);
  }

  private reopen(dueUs: number): void {
    const { first, load } = this;
    this.retry = null;
    if (first === null || !load.stage.mayStart()) return;
    const nowUs = load.now();
    this.state = 'reopening';
    this.isOwed = true;
    this.streamOwner.owedBeside();
    // The journey has gone on: it is not told what the answer holds.
    const recorder = this.streamOwner.recorderFor(dueUs);
    this.ask({ ...first, reader: null }, dueUs, nowUs, recorder);
    recorder.startedLate(first.slot, Math.max(0, nowUs - dueUs));
  }
}
