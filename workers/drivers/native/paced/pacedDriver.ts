import { addNames } from '#core/base/foreignNames.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { Clock } from '#workers/clock.ts';
import { Sweep } from '#workers/drivers/sweep.ts';
import type { LoadDriver } from '#workers/drivers/loadDriver.ts';
import { NativeLoad, type NativeLoadOptions } from '../nativeLoad.ts';
import { minLimitUs } from '../transport.ts';
import type { BackgroundCall, BackgroundHost } from './backgroundCall.ts';
import { DueQueue } from './dueQueue.ts';
import { Pacer } from './pacer.ts';
import { SpareCores } from './spareCores.ts';
import { PacedVirtualUser, type VirtualUserHost } from './pacedVirtualUser.ts';
import { missingPartError } from '#workers/noSuch.ts';

/** Maximum number of starts in one turn of the event loop, because responses are read between two turns. */
const MAX_STARTS_PER_TURN = 200;
/** Time after the end of the load during which late requests may still start. */
const MAX_LATENESS_MS = 5_000;

export interface UserStage {
  /** Index of the plan's stage. */
  readonly stage: number;
  readonly recorder: StageRecorder;
}

type State = 'running' | 'over' | 'stopped' | 'closed';

/**
 * Runs a load whose requests start at scheduled times, on one thread for all targets. Users arrive at the times of the load model, run
 * their steps with pauses, and leave.
 */
export abstract class PacedDriver implements LoadDriver, VirtualUserHost, BackgroundHost {
  readonly done: Promise<void>;
  protected readonly loads: readonly NativeLoad[];
  protected readonly now: Clock;
  protected startUs = 0;
  private state: State = 'running';
  private present = 0;
  private readonly users: PacedVirtualUser[] = [];
  private readonly pausing = new DueQueue<PacedVirtualUser>();
  private readonly background = new DueQueue<BackgroundCall>();
  private backgroundOutstanding = 0;
  private readonly pacer: Pacer;
  private readonly sweep: Sweep;
  private lateTimer: NodeJS.Timeout | null = null;
  private readonly resolveDone: () => void;

  /** @throws {HoldfastError} for certificates or keys that cannot be used. */
  constructor(targets: readonly NativeLoadOptions[], now: Clock, threadsHere: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.resolveDone = resolve;
    this.now = now;
    this.loads = targets.map((target) => new NativeLoad(target, () => {}));
    const cores = new SpareCores(threadsHere, now());
    this.pacer = new Pacer(
      now,
      () => this.turn(),
      (nowUs) => cores.at(nowUs),
    );
    this.sweep = new Sweep(
      Math.min(...this.loads.map(({ limits }) => minLimitUs(limits))),
      now,
      () => this.users,
      (nowUs) => this.cleanUp(nowUs),
    );
  }

  /** Time at which the next user arrives; Infinity if no more users arrive. */
  protected abstract readonly nextArrivalUs: number;
  /** Starts the next user or counts it as not started. */
  protected abstract arrive(nowUs: number): void;
  /** Returns the pause of a user before the next request, from `atUs` on. */
  protected abstract pauseUs(user: PacedVirtualUser, atUs: number): number;
  /** Returns whether a user sends the request that is due at `dueUs`. If not, the user leaves. */
  protected abstract isContinued(user: PacedVirtualUser, dueUs: number): boolean;
  /** Returns whether a background request that is due at this time belongs to the load. */
  protected abstract isWithin(dueUs: number): boolean;
  protected abstract recorderAt(dueUs: number): StageRecorder;
  protected abstract readonly loadEndsUs: number;
  /** Returns the stage of a later journey of a user; null if it is the stage in which the user started. */
  protected stageNumberAt(_dueUs: number): number | null {
    return null;
  }

  /** Called if no row of a feed with `order: once` is left: the user begins no journey and leaves. */
  protected abstract onNoRowLeft(user: PacedVirtualUser, nowUs: number, recorder: StageRecorder): void;

  protected abstract userLeft(user: PacedVirtualUser, nowUs: number): void;
  /** Drops requests and arrivals that are too late. */
  protected abstract dropLate(): void;
  protected abstract endArrivals(): void;
  /** Whether no row is left for another journey. */
  protected isOutOfRows = false;

  protected abstract tidy(nowUs: number): void;

  get sideInFlight(): number {
    return this.loads.reduce((sum, load) => sum + load.stage.sideInFlight, 0);
  }

  get inFlight(): number {
    return this.loads.reduce((sum, load) => sum + load.stage.inFlight, 0);
  }

  get leftOut(): ReadonlyMap<string, number> {
    return this.sumOf('leftOut');
  }

  get addressesUsed(): ReadonlyMap<string, number> {
    return this.sumOf('addressesUsed');
  }

  get silentAddresses(): ReadonlyMap<string, number> {
    return this.sumOf('silentAddresses');
  }

  private sumOf(counts: 'leftOut' | 'addressesUsed' | 'silentAddresses'): ReadonlyMap<string, number> {
    return new Map(Object.entries(addNames(this.loads.map(({ stage }) => Object.fromEntries(stage[counts])))));
  }

  start(startUs: number): void {
    this.startUs = startUs;
    this.pacer.check();
  }

  drain(reason: 'over' | 'stopped'): void {
    if (reason === 'over') this.endLoad();
    else this.stop();
    this.closeWhenEmpty();
  }

  abort(): void {
    if (this.state === 'closed') return;
    if (this.state === 'over') this.dropLate();
    for (const { stage } of this.loads) stage.abort();
    const nowUs = this.now();
    for (const user of this.users) {
      if (!user.isPresent) continue;
      // A journey whose request is in flight stays unfinished.
      if (user.isBusy) user.vanish();
      else user.leave(nowUs);
      this.userLeft(user, nowUs);
    }
    this.close();
  }

  async closed(): Promise<void> {
    await Promise.all(this.loads.map(({ stage }) => stage.farewells.waitUntilClosed()));
  }

  settled(user: PacedVirtualUser, atUs: number, delayUs: number): void {
    const pauseUs = user.isAtGate ? 0 : this.pauseUs(user, atUs);
    const dueUs = user.holdUs > 0 ? Math.min(atUs + user.holdUs, this.loadEndsUs, user.leavesUs) : atUs + Math.max(delayUs, pauseUs);
    if (user.holdUs > 0 && this.state !== 'stopped') {
      user.dueUs = dueUs;
      this.pausing.push(user);
    } else if (this.state === 'stopped' || !this.isContinued(user, dueUs)) {
      this.dismiss(user, atUs);
    } else {
      user.dueUs = dueUs;
      this.pausing.push(user);
    }
    this.pacer.check();
  }

  loadInstantUs(afterUs: number): number {
    return this.startUs + afterUs;
  }

  mayLeave(user: PacedVirtualUser, atUs: number): void {
    this.dismiss(user, atUs);
    this.pacer.check();
  }

  schedule(call: BackgroundCall): void {
    this.background.push(call);
  }

  mayBegin(call: BackgroundCall, dueUs: number): boolean {
    if (this.state === 'stopped' || this.state === 'closed' || !this.isWithin(dueUs) || !call.isWithin(dueUs)) return false;
    if (call.mayStart) return true;
    this.stop();
    return false;
  }

  recorderFor(dueUs: number): StageRecorder {
    return this.recorderAt(dueUs);
  }

  backgroundBegan(): void {
    this.backgroundOutstanding += 1;
  }

  backgroundEnded(): void {
    this.backgroundOutstanding -= 1;
    this.closeWhenEmpty();
    this.pacer.check();
  }

  protected createUser(target: number): PacedVirtualUser {
    const load = this.loads[target];
    if (load === undefined) throw missingPartError('target', target);
    const user = new PacedVirtualUser(load, this);
    this.users.push(user);
    return user;
  }

  protected admit(user: PacedVirtualUser, number: number, dueUs: number, nowUs: number, at: UserStage): void {
    this.present += 1;
    user.appear(number, dueUs, at.stage);
    this.proceed(user, nowUs, at.recorder);
  }

  /** Dismisses those pausing users for whom `isDismissed` returns true. */
  protected dismissPausing(isDismissed: (user: PacedVirtualUser) => boolean): void {
    const nowUs = this.now();
    for (const user of this.pausing.takeAll()) {
      if (isDismissed(user)) this.dismiss(user, nowUs);
      else this.pausing.push(user);
    }
  }

  /** Starts what is due. Returns the next due time. */
  private turn(): number {
    for (let started = 0; started < MAX_STARTS_PER_TURN; started += 1) {
      const arrivalUs = this.nextArrivalUs;
      const pauseEndsUs = this.pausing.firstUs;
      const backgroundUs = this.background.firstUs;
      const nextUs = Math.min(arrivalUs, pauseEndsUs, backgroundUs);
      if (nextUs === Number.POSITIVE_INFINITY) break;
      const nowUs = this.now();
      if (nextUs > nowUs) return nextUs;
      if (backgroundUs === nextUs) this.background.pop()?.sendDue(nowUs);
      else if (arrivalUs <= pauseEndsUs) this.arrive(nowUs);
      else this.resume(nowUs);
    }
    this.closeWhenEmpty();
    return Math.min(this.nextArrivalUs, this.pausing.firstUs, this.background.firstUs);
  }

  private resume(nowUs: number): void {
    const user = this.pausing.pop();
    if (user === null) return;
    if (user.holdUs > 0) {
      user.endHold(nowUs);
      if (!this.isContinued(user, user.dueUs)) {
        this.dismiss(user, nowUs);
        return;
      }
    }
    const stage = this.stageNumberAt(user.dueUs);
    if (stage !== null) user.enter(stage);
    this.proceed(user, nowUs, this.recorderAt(user.dueUs));
  }

  private proceed(user: PacedVirtualUser, nowUs: number, recorder: StageRecorder): void {
    if (!user.load.stage.mayStart()) this.stop();
    else
      switch (user.proceed(nowUs, recorder)) {
        case 'sent':
          return;
        case 'waits':
          this.pausing.push(user);
          return;
        case 'left':
          this.settled(user, nowUs, 0);
          return;
        default:
          this.onNoRowLeft(user, nowUs, recorder);
      }
    this.dismiss(user, nowUs);
  }

  private dismiss(user: PacedVirtualUser, nowUs: number): void {
    // A reconnect is awaited like any other request.
    user.isLeaving = user.isPending;
    if (user.isLeaving) {
      user.endHold(nowUs);
      return;
    }
    user.leave(nowUs);
    this.present -= 1;
    this.userLeft(user, nowUs);
    this.closeWhenEmpty();
  }

  private endLoad(): void {
    if (this.state !== 'running') return;
    this.state = 'over';
    this.lateTimer = setTimeout(() => {
      this.background.takeAll();
      this.dropLate();
      this.closeWhenEmpty();
    }, MAX_LATENESS_MS);
  }

  private stop(): void {
    if (this.state !== 'running' && this.state !== 'over') return;
    this.state = 'stopped';
    for (const { stage } of this.loads) {
      stage.draining = true;
      stage.stopped = true;
    }
    this.endArrivals();
    this.dismissPausing(() => true);
  }

  private cleanUp(nowUs: number): void {
    for (const { stage } of this.loads) stage.closeRetired(nowUs);
    this.tidy(nowUs);
  }

  private closeWhenEmpty(): void {
    // Users whose journeys have ended may still send background requests.
    if (this.state === 'over' && this.isWithin(this.background.firstUs)) return;
    if (
      (this.state === 'running' && !this.isOutOfRows) ||
      this.present > 0 ||
      this.backgroundOutstanding > 0 ||
      this.nextArrivalUs !== Number.POSITIVE_INFINITY
    )
      return;
    this.close();
  }

  private close(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.pacer.stop();
    this.sweep.stop();
    if (this.lateTimer !== null) clearTimeout(this.lateTimer);
    for (const user of this.users) {
      user.endBackground();
      user.disconnect();
    }
    for (const { stage } of this.loads) stage.closeRetired(Number.POSITIVE_INFINITY);
    this.resolveDone();
  }
}
