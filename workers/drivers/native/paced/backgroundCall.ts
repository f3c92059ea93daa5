import { drawFor } from '#core/work/journey/generate.ts';
import type { Walk } from '#workers/journey/plainWalk.ts';
import type { ScriptedBackground } from '#workers/journey/script.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import { Exchange, type ExchangeOwner, type Sender } from '../exchange.ts';
import type { Http2Carrier } from '../http2/carrier.ts';
import type { NativeLoad } from '../nativeLoad.ts';
import { SideSender } from '../sideSender.ts';
import type { Due } from './dueQueue.ts';

/** As many as browsers open to one host. */
const MOST_LANES = 6;

/** Says when, and is told when something is owed no more. */
export interface BackgroundHost {
  /** The call is to be told when its `dueUs` has come. */
  schedule(call: BackgroundCall): void;
  /** Whether a request that is due then still belongs to the load. */
  mayBegin(call: BackgroundCall, dueUs: number): boolean;
  recorderFor(dueUs: number): StageRecorder;
  backgroundBegan(): void;
  backgroundEnded(): void;
}

/** One connection of it, with what is on its way there. */
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

  answered(atUs: number): void {
    this.walk.settle(true);
    this.call.settled(this, atUs);
  }

  failed(atUs: number): void {
    this.walk.settle(false);
    this.call.settled(this, atUs);
  }
}

/**
 * What one user sends at an interval beside their journeys, over connections of its own. A request that is due while as many as may be are
 * unanswered waits for one of them, and its response time counts from when it was due.
 */
export class BackgroundCall implements Due {
  dueUs = 0;
  private readonly load: NativeLoad;
  private readonly settings: ScriptedBackground;
  private readonly host: BackgroundHost;
  private readonly carrier: Http2Carrier | null;
  private readonly newWalk: () => Walk;
  private readonly hasReached: (step: number) => boolean;
  private readonly leavesUs: () => number;
  private readonly lanes: Lane[] = [];
  private user = 0;
  private state: 'waiting' | 'running' | 'held' | 'left' = 'waiting';

  /** `carrier`: the connection of HTTP/2 that it shares with the journeys of the user; `newWalk`: in the name of the user, of this request alone; `hasReached`: whether they got a good answer to a step since they came as somebody new. */
  constructor(
    load: NativeLoad,
    settings: ScriptedBackground,
    host: BackgroundHost,
    person: { readonly carrier: Http2Carrier | null; newWalk(): Walk; hasReached(step: number): boolean; leavesUs(): number },
  ) {
    this.carrier = person.carrier;
    this.load = load;
    this.settings = settings;
    this.host = host;
    this.newWalk = () => person.newWalk();
    this.hasReached = (step) => person.hasReached(step);
    this.leavesUs = () => person.leavesUs();
  }

  /** Whether its user is still there at an instant. */
  isWithin(dueUs: number): boolean {
    return dueUs < this.leavesUs();
  }

  /** Whether one more request may start. */
  get mayStart(): boolean {
    return this.load.stage.mayStart();
  }

  /** The user comes. */
  appear(user: number, atUs: number): void {
    this.user = user;
    if (this.settings.after === null) this.begin(atUs);
  }

  /** Something of the user's journey was answered. */
  notice(atUs: number): void {
    const { after } = this.settings;
    if (this.state === 'waiting' && after !== null && this.hasReached(after)) this.begin(atUs);
  }

  /** Its instant has come. */
  due(nowUs: number): void {
    const { after } = this.settings;
    if (this.state !== 'running') return;
    if (after !== null && !this.hasReached(after)) {
      this.state = 'waiting';
      return;
    }
    const lane = this.freeLane();
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

  /** Nothing more is sent: what is on its way is still waited for. */
  private leave(): void {
    this.state = 'left';
    for (const { exchange } of this.lanes) if (!exchange.isBusy) exchange.close();
  }

  expire(nowUs: number): void {
    for (const { exchange } of this.lanes) exchange.expire(nowUs);
  }

  /** Gives up what is owed. */
  close(): void {
    this.state = 'left';
    for (const { exchange } of this.lanes) exchange.close();
  }

  settled(lane: Lane, atUs: number): void {
    if (!lane.walk.isOver) {
      // A redirect is followed at once.
      this.sendNext(lane, atUs, atUs, this.host.recorderFor(atUs));
      return;
    }
    if (this.state === 'left') lane.exchange.close();
    else if (this.state === 'held') this.release(lane, atUs);
    this.host.backgroundEnded();
  }

  /** What had to wait for a connection is sent now. */
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
    const slot = this.sendNext(lane, dueUs, nowUs, recorder);
    // Answers that are owed hold it up, not this computer.
    if (isOnTime) recorder.startedLate(slot, nowUs - dueUs);
  }

  private sendNext(lane: Lane, dueUs: number, nowUs: number, recorder: StageRecorder): number {
    const step = lane.walk.next();
    lane.exchange.send(step, dueUs, nowUs, recorder);
    return step.slot;
  }

  private freeLane(): Lane | null {
    const free = this.lanes.find(({ exchange }) => !exchange.isBusy);
    if (free !== undefined || this.lanes.length >= MOST_LANES) return free ?? null;
    const lane = new Lane(this.load, this.newWalk(), this, this.carrier);
    this.lanes.push(lane);
    return lane;
  }
}
