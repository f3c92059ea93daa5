import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import { Exchange, type ExchangeOwner } from '../exchange.ts';
import type { Http2Carrier } from '../http2/carrier.ts';
import type { NativeLoad } from '../nativeLoad.ts';

export interface LaneOwner extends ExchangeOwner {
  settled(lane: Lane, atUs: number, isGood: boolean): void;
  /** Called when a connection can be used again after its back-off. */
  fetchMore(atUs: number): void;
}

export class Lane implements ExchangeOwner {
  readonly exchange: Exchange;
  private readonly load: NativeLoad;
  private readonly owner: LaneOwner;
  private isFetching = false;
  private backOff: NodeJS.Timeout | null = null;

  constructor(load: NativeLoad, owner: LaneOwner, carrier: Http2Carrier | null) {
    this.load = load;
    this.owner = owner;
    this.exchange = new Exchange(load, this, 'measured', carrier);
  }

  get isIdle(): boolean {
    return !this.exchange.isBusy && this.backOff === null;
  }

  /** Fetches a resource of a page. Must be called only when idle. */
  fetch(step: DrivenStep, nowUs: number, recorder: StageRecorder): void {
    this.isFetching = true;
    this.exchange.send(step, nowUs, nowUs, recorder);
  }

  close(): void {
    this.isFetching = false;
    if (this.backOff !== null) clearTimeout(this.backOff);
    this.backOff = null;
    this.exchange.close();
  }

  responded(atUs: number, delayMs: number): void {
    if (!this.isFetching) {
      this.owner.responded(atUs, delayMs);
      return;
    }
    this.isFetching = false;
    this.owner.settled(this, atUs, true);
  }

  failed(atUs: number, delayMs: number): void {
    if (!this.isFetching) {
      this.owner.failed(atUs, delayMs);
      return;
    }
    this.isFetching = false;
    if (delayMs > 0) {
      this.backOff = setTimeout(() => {
        this.backOff = null;
        this.owner.fetchMore(this.load.now());
      }, delayMs);
    }
    this.owner.settled(this, atUs, false);
  }
}
