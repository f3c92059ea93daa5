import type { StageRecorder } from '#workers/recorder.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { Walk } from '#workers/journey/plainWalk.ts';
import { senderFor } from '../senderFor.ts';
import type { Sender } from '../exchange.ts';
import type { NativeLoad } from '../nativeLoad.ts';
import type { HeldStream, StreamOwner } from '../streamExchange.ts';
import { BackgroundCall, type BackgroundHost } from './backgroundCall.ts';
import type { Due, Idler } from './dueQueue.ts';

/** Told when a user has nothing on its way any more. */
export interface VirtualUserHost {
  /** A request is settled. `delayUs`: how long the user has to wait at least, because it failed. */
  settled(user: PacedVirtualUser, atUs: number, delayUs: number): void;
  /** Who is to go, and was owed an answer beside the journey, has it. */
  mayGo(user: PacedVirtualUser, atUs: number): void;
}

/** Who walks through journeys over one connection: a user, or one arrival after another. The host says when. */
export class PacedVirtualUser implements StreamOwner, Due, Idler {
  readonly load: NativeLoad;
  /** When its next request is to start. */
  dueUs = 0;
  /** Number of the user or of the arrival in the whole plan. */
  number = 0;
  /** When its journey was to begin. */
  begunUs = 0;
  /** Makes no request that is due from then on. */
  leavesUs = Number.POSITIVE_INFINITY;
  /** Pauses that it has made so far. */
  pauses = 0;
  /** On a journey, or waiting for one of its own. */
  isPresent = false;
  idleSinceUs = 0;
  /** How long it stays with the stream that it has just opened; 0 where it goes on. */
  holdUs = 0;
  /** Is to go as soon as what is owed beside the journey has come. */
  isGoing = false;
  private held: HeldStream | null = null;
  private owed = 0;
  private readonly host: VirtualUserHost & BackgroundHost;
  private readonly exchange: Sender;
  private readonly journey: Walk;
  private journeys = 0;
  private stage = 0;
  private readonly background: readonly BackgroundCall[];

  constructor(load: NativeLoad, host: VirtualUserHost & BackgroundHost) {
    this.load = load;
    this.host = host;
    const walk = load.newWalk();
    this.journey = walk;
    const carrier = load.newCarrier();
    this.background = load.background.map(
      (settings) =>
        new BackgroundCall(load, settings, host, {
          carrier,
          newWalk: () => walk.beside(settings.step),
          hasReached: (step) => walk.hasReached(step),
          leavesUs: () => this.leavesUs,
        }),
    );
    this.exchange = senderFor(load, this, carrier);
  }

  get isBusy(): boolean {
    return this.exchange.isBusy;
  }

  /** Owes its streams an answer that nobody waits for. */
  get isOwed(): boolean {
    return this.owed > 0;
  }

  get isConnected(): boolean {
    return this.exchange.isConnected;
  }

  /** How long to pause before the next request; null: as long as the load says. */
  get ownPause(): ThinkTime | 'none' | null {
    return this.journey.pause;
  }

  get isUnsettled(): boolean {
    return this.journey.isUnsettled;
  }

  get isBetweenJourneys(): boolean {
    return this.journey.isOver;
  }

  /** Comes in a stage of the plan, as somebody who was not there before. */
  appear(number: number, dueUs: number, stage: number): void {
    this.stage = stage;
    this.number = number;
    this.pauses = 0;
    this.journeys = 0;
    this.dueUs = dueUs;
    this.isPresent = true;
    this.isGoing = false;
    this.owed = 0;
    this.exchange.forgetFailures();
    for (const call of this.background) call.appear(number, dueUs);
  }

  /** Journeys that begin from now on belong to this stage of the plan. */
  enter(stage: number): void {
    this.stage = stage;
  }

  /** Starts the request that was due at `dueUs`, as the first of a journey when the last one is over. False when no row is left to begin one with. */
  proceed(nowUs: number, recorder: StageRecorder): boolean {
    if (this.journey.isOver) {
      const visit = { user: this.number, journey: this.journeys, stage: this.stage };
      if (!this.journey.begin(visit, this.load.stepCount)) return false;
      this.journeys += 1;
      this.begunUs = this.dueUs;
      recorder.journeyStarted(nowUs);
    }
    const step = this.journey.next();
    this.exchange.send(step, this.dueUs, nowUs, recorder);
    if (step.sideOrigin === undefined && (step.wait?.recorder ?? recorder) === recorder)
      recorder.startedLate(step.slot, nowUs - this.dueUs);
    return true;
  }

  /** Leaves the stream that it stayed with, and may go on. */
  endHold(nowUs: number): void {
    this.held?.leave(nowUs);
    this.held = null;
    this.holdUs = 0;
  }

  /** Breaks the journey off, if it is on one, and stays away: what is sent beside it goes on to the end of the load. Nothing of the journey may be on its way. */
  leave(nowUs: number): void {
    this.isPresent = false;
    this.isGoing = false;
    this.endHold(nowUs);
    // Streams are left; a connection that the next user could take goes with them, as theirs does.
    if (this.load.holdsStreams) this.exchange.close();
    // A journey that the end of the load cuts off is not abandoned: nothing of it failed.
    if (!this.journey.isOver) this.journey.breakOff();
  }

  /** Gives up on what is owed, without a word about the journey. */
  vanish(): void {
    this.isPresent = false;
    this.isGoing = false;
    this.endHold(this.load.now());
    this.endBackground();
    this.exchange.close();
  }

  expire(nowUs: number): void {
    this.exchange.expire(nowUs);
    for (const call of this.background) call.expire(nowUs);
  }

  /** Gives up on what is owed beside the journey. */
  endBackground(): void {
    for (const call of this.background) call.close();
  }

  disconnect(): void {
    this.exchange.close();
  }

  answered(atUs: number, delayMs: number): void {
    this.settle(atUs, true);
    this.host.settled(this, atUs, delayMs * 1_000);
  }

  holds(stream: HeldStream, holdUs: number): void {
    this.held = holdUs > 0 ? stream : null;
    this.holdUs = holdUs;
  }

  recorderFor(atUs: number): StageRecorder {
    return this.host.recorderFor(atUs);
  }

  owedBeside(): void {
    this.owed += 1;
  }

  settledBeside(atUs: number): void {
    this.owed -= 1;
    if (this.isGoing && this.owed === 0) this.host.mayGo(this, atUs);
  }

  failed(atUs: number, delayMs: number): void {
    this.settle(atUs, false);
    this.host.settled(this, atUs, delayMs * 1_000);
  }

  private settle(atUs: number, answered: boolean): void {
    const { recorder } = this.load.stage;
    this.journey.settle(answered);
    for (const call of this.background) call.notice(atUs);
    if (!this.journey.isOver) return;
    if (this.journey.isFinished) recorder.journeyFinished(atUs);
    else recorder.journeyAbandoned(atUs);
    if (this.load.reuse === 'journey') this.exchange.close();
  }
}
