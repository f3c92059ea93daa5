import type { Unsendable } from '#workers/journey/plainWalk.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import { Exchange, type ExchangeOwner, type Sender } from './exchange.ts';
import type { NativeLoad } from './nativeLoad.ts';

/** Sends the side calls of a user over connections of their own, each server's over one, and everything else as ever. */
export class SideSender implements Sender {
  private readonly load: NativeLoad;
  private readonly owner: ExchangeOwner;
  private readonly main: Sender;
  /** By origin. */
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
    if (step.sideOrigin === undefined) this.main.send(step, intendedUs, nowUs, recorder);
    else this.sideOf(step.sideOrigin).send(step, intendedUs, nowUs, recorder.sideCalls());
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

  private sideOf(origin: string): Exchange {
    let side = this.sides.get(origin);
    if (side === undefined) {
      side = new Exchange(origin === this.load.origin ? this.load : this.load.towards(origin), this.owner, 'side');
      this.sides.set(origin, side);
    }
    return side;
  }
}
