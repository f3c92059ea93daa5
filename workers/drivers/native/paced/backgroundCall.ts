import { drawFor } from '#core/work/journey/generate.ts';
import type { Walk } from '#workers/journey/plainWalk.ts';
import type { ScriptedBackground } from '#workers/journey/script.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import { Exchange, type ExchangeOwner, type Sender } from '../exchange.ts';
import type { Http2Carrier } from '../http2/carrier.ts';
import type { NativeLoad } from '../nativeLoad.ts';
import { SideSender } from '../senderFor.ts';
import type { DueItem } from './dueQueue.ts';

/** Maximum number of connections: browsers open up to 6 per host. */
const MAX_CONNECTIONS = 6;

/** Schedules background requests, and counts the requests in flight. */
export interface BackgroundHost {
  /** Makes the driver call `call.sendDue` at `call.dueUs`. */
  schedule(call: BackgroundCall): void;
  /** Returns whether a request that is due at this time belongs to the load. */
  mayBegin(call: BackgroundCall, dueUs: number): boolean;
  recorderFor(dueUs: number): StageRecorder;
  backgroundBegan(): void;
  backgroundEnded(): void;
}

class Lane implements ExchangeOwner {
  readonly exchange: Sender;
  readonly walk: Walk;
  private readonly call: BackgroundCall;

  constructor(load: NativeLoad, walk: Walk, call: BackgroundCall, carrier: Http2Carrier | null) {
    const main = new Exchange(load, this, 'measured', carrier);
    this.exchange = load.hasNamedTargets ? new SideSender(load, this, main) : main;
    this.walk = walk;
    this.call = call;
  }

  responded(atUs: number): void {
    this.walk.settle(true);
    this.call.settled(this, atUs);
  }

  failed(atUs: number): void {
    this.walk.settle(false);
    this.call.settled(this, atUs);
  }
}

/**
 * Sends one background request of a user at regular intervals, over separate connections. If the maximum number of connections is busy, the
 * request waits, and its response time starts at its due time.
 */
export class BackgroundCall implements DueItem {
  dueUs = 0;
  private readonly load: NativeLoad;
  private readonly settings: ScriptedBackground;
  private readonly host: BackgroundHost;
  private readonly carrier: Http2Carrier | null;
  private readonly newWalk: () => Walk;
  private readonly hasReached: (step: number) => boolean;
  private readonly leavesUs: () => number;
  private readonly isPausing: () => boolean;
  private readonly lanes: Lane[] = [];
  private user = 0;
  private state: 'waiting' | 'running' | 'held' | 'left' = 'waiting';

  /**
   * `carrier` is the HTTP/2 connection shared with the user's journeys. `createWalk` creates a walk that consists of only this request.
   * `hasReached` returns whether the user has had a successful response of a step since the user started. `isPausing` returns whether no
   * request of the journey is in flight.
   */
  constructor(
    load: NativeLoad,
    settings: ScriptedBackground,
    host: BackgroundHost,
    person: {
      readonly carrier: Http2Carrier | null;
      createWalk(): Walk;
      hasReached(step: number): boolean;
      leavesUs(): number;
      isPausing(): boolean;
    },
  ) {
    this.carrier = person.carrier;
    this.load = load;
    this.settings = settings;
    this.host = host;
    this.newWalk = () => person.createWalk();
    this.hasReached = (step) => person.hasReached(step);
    this.leavesUs = () => person.leavesUs();
    this.isPausing = () => person.isPausing();
  }

  /** Returns whether the user is still present at this time. */
  isWithin(dueUs: number): boolean {
    return dueUs < this.leavesUs();
  }

  get mayStart(): boolean {
    return this.load.stage.mayStart();
  }

  appear(user: number, atUs: number): void {
    this.user = user;
    if (this.settings.after === null) this.begin(atUs);
  }

  /** Starts the call if a response has completed the step that the call waits for. */
  notice(atUs: number): void {
    const { after } = this.settings;
    if (this.state === 'waiting' && after !== null && this.hasReached(after)) this.begin(atUs);
  }

  sendDue(nowUs: number): void {
    const { after, until, isInPausesOnly } = this.settings;
    if (this.state !== 'running') return;
    if (until !== null && this.hasReached(until)) {
      this.leave();
      return;
    }
    if (after !== null && !this.hasReached(after)) {
      this.state = 'waiting';
      return;
    }
    if (isInPausesOnly && !this.isPausing()) {
      this.next(this.dueUs);
      return;
    }
    const lane = this.findFreeLane();
    if (lane === null) {
      this.state = 'held';
      return;
    }
    const { dueUs } = this;
    if (!this.host.mayBegin(this, dueUs)) {
      this.leave();
      return;
    }
    this.next(dueUs);
    this.send(lane, dueUs, nowUs, true);
  }

  /** Sends no more requests, but awaits the requests in flight. */
  private leave(): void {
    this.state = 'left';
    for (const { exchange } of this.lanes) if (!exchange.isBusy) exchange.close();
  }

  expire(nowUs: number): void {
    for (const { exchange } of this.lanes) exchange.expire(nowUs);
  }

  /** Abandons the requests in flight. */
  close(): void {
    this.state = 'left';
    for (const { exchange } of this.lanes) exchange.close();
  }

  settled(lane: Lane, atUs: number): void {
    if (!lane.walk.isOver) {
      this.sendNext(lane, atUs, atUs, this.host.recorderFor(atUs));
      return;
    }
    if (this.state === 'left') lane.exchange.close();
    else if (this.state === 'held') this.release(lane, atUs);
    this.host.backgroundEnded();
  }

  /** Sends the request that waited for a connection. */
  private release(lane: Lane, atUs: number): void {
    const { dueUs } = this;
    this.state = 'running';
    if (!this.host.mayBegin(this, dueUs)) {
      this.leave();
      return;
    }
    this.next(dueUs);
    this.send(lane, dueUs, atUs, false);
  }

  private begin(atUs: number): void {
    const { name, everyUs } = this.settings;
    this.state = 'running';
    this.dueUs = atUs + drawFor(`background ${name}`, { seed: this.load.seed, user: this.user, journey: 0, request: 0 }, 0) * everyUs;
    this.host.schedule(this);
  }

  private next(dueUs: number): void {
    this.dueUs = dueUs + this.settings.everyUs;
    this.host.schedule(this);
  }

  private send(lane: Lane, dueUs: number, nowUs: number, isOnTime: boolean): void {
    const recorder = this.host.recorderFor(dueUs);
    this.host.backgroundBegan();
    lane.walk.begin({ user: this.user, journey: 0, stage: this.load.stageIndex }, 1);
    const requestIndex = this.sendNext(lane, dueUs, nowUs, recorder);
    // Any other delay is caused by outstanding responses, not by the load generator.
    if (isOnTime) recorder.startedLate(requestIndex, nowUs - dueUs);
  }

  private sendNext(lane: Lane, dueUs: number, nowUs: number, recorder: StageRecorder): number {
    const step = lane.walk.next();
    lane.exchange.send(step, dueUs, nowUs, recorder);
    return step.requestIndex;
  }

  private findFreeLane(): Lane | null {
    const free = this.lanes.find(({ exchange }) => !exchange.isBusy);
    if (free !== undefined || this.lanes.length >= MAX_CONNECTIONS) return free ?? null;
    const lane = new Lane(this.load, this.newWalk(), this, this.carrier);
    this.lanes.push(lane);
    return lane;
  }
}
