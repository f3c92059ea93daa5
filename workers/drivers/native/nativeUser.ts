import { Journey } from '../journey.ts';
import { Exchange, type ExchangeOwner } from './exchange.ts';
import type { NativeLoad } from './nativeLoad.ts';

/**
 * One connection of the closed model: it walks through journeys and sends the next request when the last answer has arrived.
 * Back-off after a failure delays this connection only.
 */
export class NativeUser implements ExchangeOwner {
  ended = false;
  private readonly load: NativeLoad;
  private readonly exchange: Exchange;
  private backOff: NodeJS.Timeout | null = null;
  private readonly journey = new Journey();

  constructor(load: NativeLoad) {
    this.load = load;
    this.exchange = new Exchange(load, this);
  }

  start(): void {
    this.next(this.load.now());
  }

  /** Ends at once when nothing is owed on this connection; otherwise it ends with the answer. */
  drain(): void {
    if (!this.exchange.isBusy) this.finish();
  }

  /** Ends at once; what is owed stays unanswered. */
  abort(): void {
    if (this.exchange.isBusy) this.leave();
    else this.finish();
  }

  expire(nowUs: number): void {
    this.exchange.expire(nowUs);
  }

  answered(atUs: number): void {
    this.settle(atUs, true);
    this.next(atUs);
  }

  failed(atUs: number, delayMs: number): void {
    const { load } = this;
    this.settle(atUs, false);
    if (load.stage.draining || this.isOutOfWork) {
      this.finish();
      return;
    }
    if (delayMs === 0) this.next(load.now());
    else this.backOff = setTimeout(() => this.next(load.now()), delayMs);
  }

  private get isOutOfWork(): boolean {
    return this.journey.isOver && this.load.stage.journeysLeft <= 0;
  }

  private next(nowUs: number): void {
    const { stage } = this.load;
    if (this.ended) return;
    if (this.isOutOfWork || !stage.mayStart()) {
      this.finish();
      return;
    }
    if (this.journey.isOver) this.beginJourney(nowUs);
    this.exchange.send(this.journey.step, nowUs, nowUs, stage.recorder);
  }

  private beginJourney(nowUs: number): void {
    const { stage, reuse } = this.load;
    this.journey.begin(stage.takeJourney());
    stage.recorder.journeyStarted(nowUs);
    if (reuse === 'journey') this.exchange.close();
  }

  private settle(nowUs: number, answered: boolean): void {
    const { stage } = this.load;
    this.journey.settle(answered);
    if (!this.journey.isOver) return;
    if (this.journey.isFinished) stage.recorder.journeyFinished(nowUs);
    else stage.recorder.journeyAbandoned(nowUs);
  }

  /** No more requests on this connection. A journey that is cut off here was not finished. */
  private finish(): void {
    if (this.ended) return;
    if (!this.journey.isOver) this.load.stage.recorder.journeyAbandoned(this.load.now());
    this.leave();
  }

  private leave(): void {
    if (this.ended) return;
    this.ended = true;
    if (this.backOff !== null) clearTimeout(this.backOff);
    this.exchange.close();
    this.load.userEnded();
  }
}
