import type { Unsendable } from '#workers/journey/plainWalk.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { DrivenStep } from '../stageLoad.ts';
import type { Sender } from './exchange.ts';
import type { Http2Carrier } from './http2/carrier.ts';
import type { NativeLoad } from './nativeLoad.ts';
import { StreamExchange, type StreamOwner } from './streamExchange.ts';

/** Opens the streams of a user beside everything else that they send. */
export class StreamSender implements Sender {
  private readonly load: NativeLoad;
  private readonly owner: StreamOwner;
  private readonly main: Sender;
  private readonly carrier: Http2Carrier | null;
  /** By the position of the step. */
  private readonly streams = new Map<number, StreamExchange>();

  /** `carrier`: the connection of HTTP/2 that streams share with the requests. */
  constructor(load: NativeLoad, owner: StreamOwner, main: Sender, carrier: Http2Carrier | null) {
    this.load = load;
    this.owner = owner;
    this.main = main;
    this.carrier = carrier;
  }

  get isBusy(): boolean {
    if (this.main.isBusy) return true;
    for (const stream of this.streams.values()) if (stream.isOpening) return true;
    return false;
  }

  get isConnected(): boolean {
    return this.main.isConnected;
  }

  send(step: DrivenStep | Unsendable, intendedUs: number, nowUs: number, recorder: StageRecorder): void {
    if ('unsendable' in step || step.stream === undefined) this.main.send(step, intendedUs, nowUs, recorder);
    else this.streamOf(step.slot).send(step, intendedUs, nowUs, recorder);
  }

  forgetFailures(): void {
    this.main.forgetFailures();
  }

  expire(nowUs: number): void {
    this.main.expire(nowUs);
    for (const stream of this.streams.values()) stream.expire(nowUs);
  }

  close(): void {
    this.main.close();
    for (const stream of this.streams.values()) stream.close();
  }

  private streamOf(slot: number): StreamExchange {
    let stream = this.streams.get(slot);
    if (stream === undefined) this.streams.set(slot, (stream = new StreamExchange(this.load, this.owner, this.carrier)));
    return stream;
  }
}
