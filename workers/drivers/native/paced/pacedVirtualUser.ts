import type { StageRecorder } from '#workers/recorder.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { Gate, Walk } from '#workers/journey/plainWalk.ts';
import { senderFor } from '../senderFor.ts';
import type { Sender } from '../exchange.ts';
import type { NativeLoad } from '../nativeLoad.ts';
import type { HeldStream, StreamOwner } from '../streamExchange.ts';
import { BackgroundCall, type BackgroundHost } from './backgroundCall.ts';
import type { DueItem, Idler } from './dueQueue.ts';

/** Receives the end of each request of a user. */
export interface VirtualUserHost {
  /** Returns the time on the shared clock that is `afterUs` after the start of the load. */
  loadInstantUs(afterUs: number): number;
  /** Called when a request has ended. `delayUs` is the minimum pause after a failure. */
  settled(user: PacedVirtualUser, atUs: number, delayUs: number): void;
  /** Called when the last reconnect of a leaving user has ended. */
  mayLeave(user: PacedVirtualUser, atUs: number): void;
}

/**
 * What a user did. `waits`: the user waits until `dueUs`. `noRow`: no row of a feed is left for a new journey. `left`: the journey ended at
 * the gate, after the bell.
 */
export type ProceedResult = 'sent' | 'waits' | 'noRow' | 'left';

/** Runs journeys over one connection: those of one user, or of one arrival after another. The host determines when requests are sent. */
export class PacedVirtualUser implements StreamOwner, DueItem, Idler {
  readonly load: NativeLoad;
  /** Scheduled start of the next request. */
  dueUs = 0;
  /** Number of the user or the arrival within the plan. */
  number = 0;
  begunUs = 0;
  /** Time from which the user sends no more requests. */
  leavesUs = Number.POSITIVE_INFINITY;
  pauses = 0;
  /** Whether the user takes part in the load, including pauses within and between journeys. */
  isPresent = false;
  idleSinceUs = 0;
  /** Time for which the open stream is held; 0 if the journey continues immediately. */
  holdUs = 0;
  /** Time of the bell at which the current step starts or has started; null for steps without a bell. */
  private bellUs: number | null = null;
  /** Whether the user leaves as soon as the reconnects have ended. */
  isLeaving = false;
  private held: HeldStream | null = null;
  private outstanding = 0;
  private readonly host: VirtualUserHost & BackgroundHost;
  private readonly exchange: Sender;
  private readonly journey: Walk;
  private journeys = 0;
  private stage = 0;
  private readonly background: readonly BackgroundCall[];

  constructor(load: NativeLoad, host: VirtualUserHost & BackgroundHost) {
    this.load = load;
    this.host = host;
    const walk = load.createWalk();
    this.journey = walk;
    const carrier = load.createCarrier();
    this.background = load.background.map(
      (settings) =>
        new BackgroundCall(load, settings, host, {
          carrier,
          createWalk: () => walk.beside(settings.step),
          hasReached: (step) => walk.hasReached(step),
          leavesUs: () => this.leavesUs,
          isPausing: () => !this.isBusy,
        }),
    );
    this.exchange = senderFor(load, this, carrier);
  }

  get isBusy(): boolean {
    return this.exchange.isBusy;
  }

  /** Whether reconnects of streams are outstanding. */
  get isPending(): boolean {
    return this.outstanding > 0;
  }

  get isConnected(): boolean {
    return this.exchange.isConnected;
  }

  /** Pause that the journey sets before the next request; null for the think time of the load. */
  get ownPause(): ThinkTime | 'none' | null {
    return this.journey.pause;
  }

  get isUnsettled(): boolean {
    return this.journey.isUnsettled;
  }

  get isBetweenJourneys(): boolean {
    return this.journey.isOver;
  }

  /** Whether the user waits for a bell before the next request. There is no pause before this wait. */
  get isAtGate(): boolean {
    return this.journey.gate !== null;
  }

  /** Starts as a new user in a stage of the plan. */
  appear(number: number, dueUs: number, stage: number): void {
    this.stage = stage;
    this.number = number;
    this.pauses = 0;
    this.journeys = 0;
    this.dueUs = dueUs;
    this.isPresent = true;
    this.isLeaving = false;
    this.outstanding = 0;
    this.bellUs = null;
    this.exchange.forgetFailures();
    for (const call of this.background) call.appear(number, dueUs);
  }

  enter(stage: number): void {
    this.stage = stage;
  }

  /**
   * Sends the request that is due at `dueUs`, and begins a new journey if the last journey is over. If the next step has a gate whose bell
   * has not rung, the user waits instead.
   */
  proceed(nowUs: number, recorder: StageRecorder): ProceedResult {
    if (this.journey.isOver) {
      const visit = { user: this.number, journey: this.journeys, stage: this.stage, side: recorder.duetSideAt(this.dueUs) };
      if (!this.journey.begin(visit, this.load.stepCount)) return 'noRow';
      this.journeys += 1;
      this.begunUs = this.dueUs;
      recorder.journeyStarted(nowUs);
    }
    const { gate } = this.journey;
    if (gate !== null) return this.reachGate(gate, nowUs, recorder);
    const step = this.journey.next();
    if (this.dueUs === this.bellUs) recorder.onGateLeft(step.requestIndex, nowUs, nowUs - this.dueUs);
    this.exchange.send(step, this.dueUs, nowUs, recorder);
    if (step.sideOrigin === undefined && (step.wait?.recorder ?? recorder) === recorder)
      recorder.startedLate(step.requestIndex, nowUs - this.dueUs);
    return 'sent';
  }

  private reachGate(gate: Gate, nowUs: number, recorder: StageRecorder): ProceedResult {
    const bellUs = this.host.loadInstantUs(gate.afterUs);
    const isLate = nowUs > bellUs;
    this.journey.passGate(gate, isLate);
    recorder.gateReached(this.journey.requestIndex, nowUs, isLate);
    if (!isLate) {
      this.bellUs = bellUs;
      this.dueUs = bellUs;
      return 'waits';
    }
    if (!gate.endsLateJourneys) return this.proceed(nowUs, recorder);
    this.journey.breakOff();
    recorder.journeyAbandoned(this.journey.failedSlot ?? 0, nowUs);
    return 'left';
  }

  endHold(nowUs: number): void {
    this.held?.leave(nowUs);
    this.held = null;
    this.holdUs = 0;
  }

  /**
   * Ends the journey and leaves. Background requests continue until the end of the load. Must not be called while a request of the journey
   * is in flight.
   */
  leave(nowUs: number): void {
    this.isPresent = false;
    this.isLeaving = false;
    this.endHold(nowUs);
    // Leaves the streams. An HTTP/2 connection that carries them is closed, too.
    if (this.load.holdsStreams) this.exchange.close();
    // A journey that the end of the load interrupts is not abandoned, because no request failed.
    if (!this.journey.isOver) this.journey.breakOff();
    this.journey.leave(false);
  }

  /** Drops requests in flight and leaves the journey unfinished. */
  vanish(): void {
    this.isPresent = false;
    this.isLeaving = false;
    this.endHold(this.load.now());
    this.endBackground();
    this.exchange.close();
    this.journey.leave(true);
  }

  expire(nowUs: number): void {
    this.exchange.expire(nowUs);
    for (const call of this.background) call.expire(nowUs);
  }

  endBackground(): void {
    for (const call of this.background) call.close();
  }

  disconnect(): void {
    this.exchange.close();
  }

  responded(atUs: number, delayMs: number): void {
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

  outstandingBeside(): void {
    this.outstanding += 1;
  }

  settledBeside(atUs: number): void {
    this.outstanding -= 1;
    if (this.isLeaving && this.outstanding === 0) this.host.mayLeave(this, atUs);
  }

  failed(atUs: number, delayMs: number): void {
    this.settle(atUs, false);
    this.host.settled(this, atUs, delayMs * 1_000);
  }

  private settle(atUs: number, responded: boolean): void {
    const { recorder } = this.load.stage;
    const { requestIndex, reloads } = this.journey;
    this.journey.settle(responded);
    if (this.journey.reloads > reloads) recorder.reloaded(requestIndex, atUs, this.bellUs !== null && reloads === 0);
    if (this.bellUs !== null && this.journey.hasEndedStep) {
      this.host.recorderFor(this.bellUs).bellStepEnded(requestIndex, atUs, this.journey.wasStepOk, atUs - this.bellUs);
      this.bellUs = null;
    }
    for (const call of this.background) call.notice(atUs);
    if (!this.journey.isOver) return;
    if (this.journey.isFinished) recorder.journeyFinished(atUs);
    else recorder.journeyAbandoned(this.journey.failedSlot ?? requestIndex, atUs);
    if (this.load.reuse === 'journey') this.exchange.close();
  }
}
