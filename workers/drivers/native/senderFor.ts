import type { UnsendableRequest } from '#workers/journey/plainWalk.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import { Exchange, type Sender, type ExchangeOwner } from './exchange.ts';
import type { Http2Carrier } from './http2/carrier.ts';
import type { NativeLoad } from './nativeLoad.ts';
import { type StreamOwner, StreamExchange } from './streamExchange.ts';
import { PageLoad } from './pages/pageLoad.ts';

/**
 * Returns the sender of a user's requests. It opens several connections only if whole pages are fetched. `carrier` is an HTTP/2 connection
 * that other users share.
 */
export function senderFor(load: NativeLoad, owner: StreamOwner, carrier: Http2Carrier | null = load.createCarrier()): Sender {
  const createRequestSender = (): Sender =>
    load.fetchesPages ? new PageLoad(load, owner, carrier) : new Exchange(load, owner, 'measured', carrier);
  const sender = load.holdsStreams ? new StreamSender(load, owner, createRequestSender, carrier) : createRequestSender();
  return load.makesSideCalls || load.hasNamedTargets ? new SideSender(load, owner, sender) : sender;
}

/** Sends the requests of a user and opens the user's streams on separate exchanges. */
class StreamSender implements Sender {
  private readonly load: NativeLoad;
  private readonly owner: StreamOwner;
  private readonly newMain: () => Sender;
  /**
   * Sender of requests that open no stream. It is null until the first such request. Most users only listen to a stream, which saves a
   * connection for each of them.
   */
  private main: Sender | null = null;
  private readonly carrier: Http2Carrier | null;
  /** Streams, one for each step that opens a stream; there are only a few. */
  private readonly streams: { readonly requestIndex: number; readonly exchange: StreamExchange }[] = [];

  /** `newMain` creates the sender of all other requests. `carrier` is the HTTP/2 connection that streams and requests share. */
  constructor(load: NativeLoad, owner: StreamOwner, newMain: () => Sender, carrier: Http2Carrier | null) {
    this.load = load;
    this.owner = owner;
    this.newMain = newMain;
    this.carrier = carrier;
  }

  get isBusy(): boolean {
    if (this.main?.isBusy === true) return true;
    return this.streams.some(({ exchange }) => exchange.isOpening);
  }

  get isConnected(): boolean {
    return this.main?.isConnected === true;
  }

  send(step: DrivenStep | UnsendableRequest, intendedUs: number, nowUs: number, recorder: StageRecorder): void {
    if ('unsendable' in step || step.stream === undefined) (this.main ??= this.newMain()).send(step, intendedUs, nowUs, recorder);
    else this.createStream(step).send(step, intendedUs, nowUs, recorder);
  }

  forgetFailures(): void {
    this.main?.forgetFailures();
  }

  expire(nowUs: number): void {
    this.main?.expire(nowUs);
    for (const { exchange } of this.streams) exchange.expire(nowUs);
  }

  close(): void {
    this.main?.close();
    for (const { exchange } of this.streams) exchange.close();
  }

  private createStream({ requestIndex, origin }: DrivenStep): StreamExchange {
    const openStream = this.streams.find((stream) => stream.requestIndex === requestIndex);
    if (openStream !== undefined) return openStream.exchange;
    const load = origin === undefined ? this.load : this.load.loadFor(origin);
    const exchange = new StreamExchange(load, this.owner, origin === undefined ? this.carrier : load.createCarrier());
    this.streams.push({ requestIndex, exchange });
    return exchange;
  }
}

/**
 * Sends side calls and requests to named targets over separate connections, one per kind and server. All other requests are sent by `main`.
 */
export class SideSender implements Sender {
  private readonly load: NativeLoad;
  private readonly owner: ExchangeOwner;
  private readonly main: Sender;
  /** Exchanges by kind and origin. */
  private readonly sides = new Map<string, Exchange>();

  constructor(load: NativeLoad, owner: ExchangeOwner, main: Sender) {
    this.load = load;
    this.owner = owner;
    this.main = main;
  }

  get isBusy(): boolean {
    return this.main.isBusy || [...this.sides.values()].some((side) => side.isBusy);
  }

  get isConnected(): boolean {
    return this.main.isConnected;
  }

  send(step: DrivenStep | UnsendableRequest, intendedUs: number, nowUs: number, recorder: StageRecorder): void {
    if (step.sideOrigin !== undefined) this.exchangeWith(step.sideOrigin, 'side').send(step, intendedUs, nowUs, recorder.sideCalls());
    else if ('unsendable' in step || step.origin === undefined || this.load.fetchesPages || step.stream !== undefined)
      this.main.send(step, intendedUs, nowUs, recorder);
    else this.exchangeWith(step.origin, 'measured').send(step, intendedUs, nowUs, recorder);
  }

  forgetFailures(): void {
    for (const sender of [this.main, ...this.sides.values()]) sender.forgetFailures();
  }

  expire(nowUs: number): void {
    this.main.expire(nowUs);
    for (const side of this.sides.values()) side.expire(nowUs);
  }

  close(): void {
    this.main.close();
    for (const side of this.sides.values()) side.close();
  }

  private exchangeWith(origin: string, kind: 'side' | 'measured'): Exchange {
    const key = `${kind} ${origin}`;
    let exchange = this.sides.get(key);
    if (exchange === undefined) {
      exchange = new Exchange(origin === this.load.origin ? this.load : this.load.loadFor(origin), this.owner, kind);
      this.sides.set(key, exchange);
    }
    return exchange;
  }
}
