import type { Unsendable, Walk } from '#workers/journey/plainWalk.ts';
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

/** More pauses than a user makes in a week. */
const PAUSES_OF_A_USER = 16_777_216;

/** Seconds of a pause that a step of the plan says, drawn for the pause number `pause` of a user: the same for any number of threads. */
function drawPause(thinkTime: ThinkTime, seed: number, user: number, pause: number): number {
  return pauseSeconds(thinkTime, seed, user * PAUSES_OF_A_USER + (pause % PAUSES_OF_A_USER));
}

/**
 * One connection of the closed model: it walks through journeys and sends the next request when the last answer has arrived.
 * Back-off after a failure delays this connection only.
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
  /** Answers that streams are owed which were cut. */
  private owed = 0;
  private isGoing = false;
  /** Decided on, and sent as soon as everyone has decided. */
  private next: DrivenStep | Unsendable | null = null;

  /** `number`: of the connection in the whole stage. `carrier`: the connection of HTTP/2 that it shares with others. */
  constructor(load: NativeLoad, afterReads: AfterReads, number: number, carrier: Http2Carrier | null) {
    this.load = load;
    this.afterReads = afterReads;
    this.number = number;
    this.journey = load.newWalk();
    this.exchange = senderFor(load, this, carrier);
  }

  start(): void {
    this.goOn(this.load.now());
  }

  drain(): void {
    if (!this.owesAnswer) this.finish();
  }

  abort(): void {
    this.owed = 0;
    if (this.exchange.isBusy) this.leave();
    else this.finish();
  }

  expire(nowUs: number): void {
    this.exchange.expire(nowUs);
  }

  answered(atUs: number, delayMs: number): void {
    this.settle(atUs, true);
    if (this.holdUs > 0) {
      this.hold();
      return;
    }
    const pauseMs = Math.max(delayMs, this.pauseMs());
    if (pauseMs === 0) this.afterReads.add(this);
    else this.backOff = setTimeout(() => this.goOn(this.load.now()), pauseMs);
  }

  holds(stream: HeldStream, holdUs: number): void {
    this.held = stream;
    this.holdUs = holdUs;
  }

  owedBeside(): void {
    this.owed += 1;
  }

  settledBeside(): void {
    this.owed -= 1;
    if (this.isGoing || this.load.stage.draining) this.drain();
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
    if (delayMs === 0) this.goOn(load.now());
    else this.backOff = setTimeout(() => this.goOn(load.now()), delayMs);
  }

  prepare(nowUs: number): void {
    const { stage } = this.load;
    if (this.ended) return;
    // Redirects belong to the request that led to them.
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
      // The last journey is cut short, and what is left of it was taken before.
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

  /** Sends the next request, unless there is none. */
  private goOn(nowUs: number): void {
    this.prepare(nowUs);
    this.send(nowUs);
  }

  /** Stays with the stream; where the plan says no time, until the load is over. */
  private hold(): void {
    const { held, holdUs } = this;
    this.holdUs = 0;
    if (this.load.stage.draining) this.finish();
    else if (Number.isFinite(holdUs))
      this.backOff = setTimeout(() => {
        held?.leave(this.load.now());
        this.goOn(this.load.now());
      }, holdUs / 1_000);
  }

  /** This model knows pauses of single steps only. */
  private pauseMs(): number {
    const { pause } = this.journey;
    if (pause === null || pause === 'none') return 0;
    this.pauses += 1;
    return drawPause(pause, this.load.seed, this.number, this.pauses) * 1_000;
  }

  private get owesAnswer(): boolean {
    const goesOn = this.journey.isUnsettled && !this.load.stage.stopped;
    return this.next !== null || this.exchange.isBusy || this.owed > 0 || goesOn;
  }

  private get isOutOfWork(): boolean {
    return this.journey.isOver && this.load.stage.journeysLeft <= 0;
  }

  /** False when no row is left to walk with. */
  private beginJourney(nowUs: number): boolean {
    const { stage, reuse } = this.load;
    const visit = { user: this.number, journey: this.journeys, stage: this.load.stageIndex };
    if (!this.journey.begin(visit, stage.takeJourney())) return false;
    this.journeys += 1;
    stage.recorder.journeyStarted(nowUs);
    if (reuse === 'journey') this.exchange.close();
    return true;
  }

  private settle(nowUs: number, answered: boolean): void {
    const { stage } = this.load;
    this.journey.settle(answered);
    if (!this.journey.isOver) return;
    if (this.journey.isFinished) stage.recorder.journeyFinished(nowUs);
    else stage.recorder.journeyAbandoned(nowUs);
  }

  /** No more requests on this connection. A journey that is cut off here is neither finished nor abandoned. */
  private finish(): void {
    if (this.ended) return;
    // A stream that is asked for anew is a request like any other: its answer is waited for.
    this.isGoing = this.owed > 0;
    if (this.isGoing) {
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
