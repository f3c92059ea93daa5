import type { UnsendableRequest, Walk } from '#workers/journey/plainWalk.ts';
import { pauseSeconds } from '#core/work/journey/flow/pauses.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { DrivenConnection } from '../connectionsDriver.ts';
import { senderFor } from './senderFor.ts';
import type { AfterReads, Successor } from './afterReads.ts';
import type { Sender } from './exchange.ts';
import type { HeldStream, StreamOwner } from './streamExchange.ts';
import type { Http2Carrier } from './http2/carrier.ts';
import type { NativeLoad } from './nativeLoad.ts';

/** Maximum number of pauses of a user: 2^24, more than a user makes in a week. */
const MAX_PAUSES_PER_USER = 16_777_216;

/** Draws the think time in seconds for a pause of a user. The result does not depend on the number of threads. */
function drawPause(thinkTime: ThinkTime, seed: number, user: number, pause: number): number {
  return pauseSeconds(thinkTime, seed, user * MAX_PAUSES_PER_USER + (pause % MAX_PAUSES_PER_USER));
}

/**
 * One connection of the closed load model. It runs journeys and sends the next request after each response. Back-off after a failure delays
 * only this connection.
 */
export class VirtualUser implements DrivenConnection, StreamOwner, Successor {
  ended = false;
  private readonly load: NativeLoad;
  private readonly afterReads: AfterReads;
  private readonly exchange: Sender;
  private backOff: NodeJS.Timeout | null = null;
  private readonly journey: Walk;
  private readonly number: number;
  private journeys = 0;
  private pauses = 0;
  private held: HeldStream | null = null;
  private holdUs = 0;
  /** Number of outstanding reconnects of cut streams. */
  private outstanding = 0;
  private isFinishing = false;
  /** The prepared request, which is sent once all connections have prepared theirs. */
  private next: DrivenStep | UnsendableRequest | null = null;

  /** `number` is the number of the connection within the stage. `carrier` is an HTTP/2 connection that other users share. */
  constructor(load: NativeLoad, afterReads: AfterReads, number: number, carrier: Http2Carrier | null) {
    this.load = load;
    this.afterReads = afterReads;
    this.number = number;
    this.journey = load.createWalk();
    this.exchange = senderFor(load, this, carrier);
  }

  start(): void {
    this.sendNext(this.load.now());
  }

  drain(): void {
    if (!this.hasOutstandingResponse) this.finish();
  }

  abort(): void {
    this.outstanding = 0;
    if (this.exchange.isBusy) this.leave();
    else this.finish();
  }

  expire(nowUs: number): void {
    this.exchange.expire(nowUs);
  }

  responded(atUs: number, delayMs: number): void {
    this.settle(atUs, true);
    if (this.holdUs > 0) {
      this.hold();
      return;
    }
    const pauseMs = Math.max(delayMs, this.pauseMs());
    if (pauseMs === 0) this.afterReads.add(this);
    else this.backOff = setTimeout(() => this.sendNext(this.load.now()), pauseMs);
  }

  holds(stream: HeldStream, holdUs: number): void {
    this.held = stream;
    this.holdUs = holdUs;
  }

  outstandingBeside(): void {
    this.outstanding += 1;
  }

  settledBeside(): void {
    this.outstanding -= 1;
    if (this.isFinishing || this.load.stage.draining) this.drain();
  }

  recorderFor(): StageRecorder {
    return this.load.stage.recorder;
  }

  failed(atUs: number, delayMs: number): void {
    const { load } = this;
    this.settle(atUs, false);
    if (load.stage.draining || this.isOutOfWork) {
      this.finish();
      return;
    }
    if (delayMs === 0) this.sendNext(load.now());
    else this.backOff = setTimeout(() => this.sendNext(load.now()), delayMs);
  }

  prepare(nowUs: number): void {
    const { stage } = this.load;
    if (this.ended) return;
    // A redirect belongs to the request that caused it.
    const mayGoOn = this.journey.pause === 'none' || this.journey.isUnsettled ? stage.mayFetch() : stage.mayStart();
    if (this.isOutOfWork || !mayGoOn) {
      this.finish();
      return;
    }
    if (this.journey.isOver && !this.beginJourney(nowUs)) {
      this.finish();
      return;
    }
    if (this.journey.isOver) {
      // The last journey is partial, and its requests are already counted as taken.
      stage.recorder.journeyFinished(nowUs);
      this.finish();
      return;
    }
    this.next = this.journey.next();
  }

  send(nowUs: number): void {
    const { next } = this;
    this.next = null;
    if (next !== null) this.exchange.send(next, nowUs, nowUs, this.load.stage.recorder);
  }

  private sendNext(nowUs: number): void {
    this.prepare(nowUs);
    this.send(nowUs);
  }

  /** Holds the stream for the planned time, or until the load ends. */
  private hold(): void {
    const { held, holdUs } = this;
    this.holdUs = 0;
    if (this.load.stage.draining) this.finish();
    else if (Number.isFinite(holdUs))
      this.backOff = setTimeout(() => {
        held?.leave(this.load.now());
        this.sendNext(this.load.now());
      }, holdUs / 1_000);
  }

  /** Returns the pause before the next request. In this load model, only single steps have think times. */
  private pauseMs(): number {
    const { pause } = this.journey;
    if (pause === null || pause === 'none') return 0;
    this.pauses += 1;
    return drawPause(pause, this.load.seed, this.number, this.pauses) * 1_000;
  }

  private get hasOutstandingResponse(): boolean {
    const isContinued = this.journey.isUnsettled && !this.load.stage.stopped;
    return this.next !== null || this.exchange.isBusy || this.outstanding > 0 || isContinued;
  }

  private get isOutOfWork(): boolean {
    return this.journey.isOver && this.load.stage.journeysLeft <= 0;
  }

  /** Begins a journey. Returns false if no row of a feed is left for the journey. */
  private beginJourney(nowUs: number): boolean {
    const { stage, reuse } = this.load;
    const visit = { user: this.number, journey: this.journeys, stage: this.load.stageIndex, side: stage.recorder.duetSideAt(nowUs) };
    if (!this.journey.begin(visit, stage.takeJourney())) return false;
    this.journeys += 1;
    stage.recorder.journeyStarted(nowUs);
    if (reuse === 'journey') this.exchange.close();
    return true;
  }

  private settle(nowUs: number, responded: boolean): void {
    const { stage } = this.load;
    this.journey.settle(responded);
    if (!this.journey.isOver) return;
    if (this.journey.isFinished) stage.recorder.journeyFinished(nowUs);
    else stage.recorder.journeyAbandoned(this.journey.failedSlot ?? 0, nowUs);
  }

  /** Sends no more requests. An interrupted journey counts neither as finished nor as abandoned. */
  private finish(): void {
    if (this.ended) return;
    // A reconnect is awaited like any other request.
    this.isFinishing = this.outstanding > 0;
    if (this.isFinishing) {
      this.held?.leave(this.load.now());
      return;
    }
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
