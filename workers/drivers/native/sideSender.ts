import type { Unsendable } from '#workers/journey/plainWalk.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import { Exchange, type ExchangeOwner, type Sender } from './exchange.ts';
import type { NativeLoad } from './nativeLoad.ts';

/** Sends side calls and requests to named targets over separate connections, one per kind and server. `main` sends everything else. */
export class SideSender implements Sender {
  private readonly load: NativeLoad;
  private readonly owner: ExchangeOwner;
  private readonly main: Sender;
  /** Keyed by kind and origin. */
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

  send(step: DrivenStep | Unsendable, intendedUs: number, nowUs: number, recorder: StageRecorder): void {
    if (step.sideOrigin !== undefined) this.exchangeTo(step.sideOrigin, 'side').send(step, intendedUs, nowUs, recorder.sideCalls());
    else if ('unsendable' in step || step.origin === undefined || this.load.fetchesPages || step.stream !== undefined)
      this.main.send(step, intendedUs, nowUs, recorder);
    else this.exchangeTo(step.origin, 'measured').send(step, intendedUs, nowUs, recorder);
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

  private exchangeTo(origin: string, kind: 'side' | 'measured'): Exchange {
    const key = `${kind} ${origin}`;
    let exchange = this.sides.get(key);
    if (exchange === undefined) {
      exchange = new Exchange(origin === this.load.origin ? this.load : this.load.loadFor(origin), this.owner, kind);
      this.sides.set(key, exchange);
    }
    return exchange;
  }
}
