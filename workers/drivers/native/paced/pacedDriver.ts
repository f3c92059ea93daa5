import { addNames } from '#core/base/foreignNames.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { Clock } from '#workers/clock.ts';
import { Sweep } from '#workers/drivers/sweep.ts';
import type { LoadDriver } from '#workers/drivers/loadDriver.ts';
import { NativeLoad, type NativeLoadOptions } from '../nativeLoad.ts';
import { shortestUs } from '../timeLimits.ts';
import type { BackgroundCall, BackgroundHost } from './backgroundCall.ts';
import { DueQueue } from './dueQueue.ts';
import { Pacer } from './pacer.ts';
import { SpareCores } from './spareCores.ts';
import { PacedVirtualUser, type VirtualUserHost } from './pacedVirtualUser.ts';
import { noSuch } from '#workers/noSuch.ts';

/** Answers are read in between. */
const MOST_STARTS_AT_ONCE = 200;
/** How long what is late may still start when its time is over. */
const LATE_MS = 5_000;

/** Where a user begins. */
export interface Place {
  /** Of the plan. */
  readonly stage: number;
  readonly recorder: StageRecorder;
}

type State = 'running' | 'over' | 'stopped' | 'closed';

/**
 * A load whose requests start at instants of a plan, on one thread, against all targets. Users come one after the other at the instants that
 * the model tells, walk from step to step with pauses, and go.
 */
export abstract class PacedDriver implements LoadDriver, VirtualUserHost, BackgroundHost {
  readonly done: Promise<void>;
  /** By target. */
  protected readonly loads: readonly NativeLoad[];
  protected readonly now: Clock;
  protected startUs = 0;
  private state: State = 'running';
  private present = 0;
  private readonly users: PacedVirtualUser[] = [];
  /** Users who pause. */
  private readonly pausing = new DueQueue<PacedVirtualUser>();
  /** What users send beside their journeys. */
  private readonly background = new DueQueue<BackgroundCall>();
  /** Requests of it that are owed an answer. */
  private backgroundOwed = 0;
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
      Math.min(...this.loads.map(({ limits }) => shortestUs(limits))),
      now,
      () => this.users,
      (nowUs) => this.tidyUp(nowUs),
    );
  }

  /** Instant at which the next user comes; Infinity when nobody else will. */
  protected abstract readonly nextArrivalUs: number;
  /** The next user comes, or is turned away. */
  protected abstract arrive(nowUs: number): void;
  /** How long a user pauses before its next request, from `atUs` on. */
  protected abstract pauseUs(user: PacedVirtualUser, atUs: number): number;
  /** Whether a user goes on with a request that is to start at `dueUs`; if not, it leaves. */
  protected abstract goesOn(user: PacedVirtualUser, dueUs: number): boolean;
  /** Whether what is due then belongs to the load. */
  protected abstract isWithin(dueUs: number): boolean;
  /** Where a later request of a user is recorded. */
  protected abstract recorderAt(dueUs: number): StageRecorder;
  /** Instant at which nobody stays with a stream any longer. */
  protected abstract readonly loadEndsUs: number;
  /** In which stage a later journey of a user begins; null: in that in which the user came. */
  protected stageNumberAt(_dueUs: number): number | null {
    return null;
  }

  /** Rows that are used once are used up: the user begins no journey, and leaves. */
  protected abstract noRowLeft(user: PacedVirtualUser, nowUs: number, recorder: StageRecorder): void;

  /** A user is gone. */
  protected abstract left(user: PacedVirtualUser, nowUs: number): void;
  /** What is late will not start any more. */
  protected abstract giveUpLate(): void;
  /** Nobody else may come. */
  protected abstract closeDoor(): void;
  /** Nobody can begin another journey. */
  protected isOutOfRows = false;

  /** Once in a while. */
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

  drain(why: 'over' | 'stopped'): void {
    if (why === 'over') this.endTime();
    else this.stop();
    this.closeWhenEmpty();
  }

  abort(): void {
    if (this.state === 'closed') return;
    if (this.state === 'over') this.giveUpLate();
    for (const { stage } of this.loads) stage.abort();
    const nowUs = this.now();
    for (const user of this.users) {
      if (!user.isPresent) continue;
      // A journey that is owed an answer stays unsettled, as its request does.
      if (user.isBusy) user.vanish();
      else user.leave(nowUs);
      this.left(user, nowUs);
    }
    this.close();
  }

  async closed(): Promise<void> {
    await Promise.all(this.loads.map(({ stage }) => stage.farewells.over()));
  }

  settled(user: PacedVirtualUser, atUs: number, delayUs: number): void {
    const dueUs =
      user.holdUs > 0 ? Math.min(atUs + user.holdUs, this.loadEndsUs, user.leavesUs) : atUs + Math.max(delayUs, this.pauseUs(user, atUs));
    if (user.holdUs > 0 && this.state !== 'stopped') {
      user.dueUs = dueUs;
      this.pausing.push(user);
    } else if (this.state === 'stopped' || !this.goesOn(user, dueUs)) {
      this.dismiss(user, atUs);
    } else {
      user.dueUs = dueUs;
      this.pausing.push(user);
    }
    this.pacer.check();
  }

  mayGo(user: PacedVirtualUser, atUs: number): void {
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
    this.backgroundOwed += 1;
  }

  backgroundEnded(): void {
    this.backgroundOwed -= 1;
    this.closeWhenEmpty();
    this.pacer.check();
  }

  protected newUser(target: number): PacedVirtualUser {
    const load = this.loads[target];
    if (load === undefined) throw noSuch('target', target);
    const user = new PacedVirtualUser(load, this);
    this.users.push(user);
    return user;
  }

  protected admit(user: PacedVirtualUser, number: number, dueUs: number, nowUs: number, at: Place): void {
    this.present += 1;
    user.appear(number, dueUs, at.stage);
    this.proceed(user, nowUs, at.recorder);
  }

  /** Those who pause leave, as far as they are to. */
  protected dismissPausing(isDismissed: (user: PacedVirtualUser) => boolean): void {
    const nowUs = this.now();
    for (const user of this.pausing.takeAll()) {
      if (isDismissed(user)) this.dismiss(user, nowUs);
      else this.pausing.push(user);
    }
  }

  /** Does what is due; the instant of what comes next. */
  private turn(): number {
    for (let started = 0; started < MOST_STARTS_AT_ONCE; started += 1) {
      const arrivalUs = this.nextArrivalUs;
      const pauseEndsUs = this.pausing.firstUs;
      const backgroundUs = this.background.firstUs;
      const nextUs = Math.min(arrivalUs, pauseEndsUs, backgroundUs);
      if (nextUs === Number.POSITIVE_INFINITY) break;
      const nowUs = this.now();
      if (nextUs > nowUs) return nextUs;
      if (backgroundUs === nextUs) this.background.pop()?.due(nowUs);
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
      if (!this.goesOn(user, user.dueUs)) {
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
    else if (user.proceed(nowUs, recorder)) return;
    else this.noRowLeft(user, nowUs, recorder);
    this.dismiss(user, nowUs);
  }

  private dismiss(user: PacedVirtualUser, nowUs: number): void {
    // A stream that is asked for anew is a request like any other: its answer is waited for.
    user.isGoing = user.isOwed;
    if (user.isGoing) {
      user.endHold(nowUs);
      return;
    }
    user.leave(nowUs);
    this.present -= 1;
    this.left(user, nowUs);
    this.closeWhenEmpty();
  }

  private endTime(): void {
    if (this.state !== 'running') return;
    this.state = 'over';
    this.lateTimer = setTimeout(() => {
      this.background.takeAll();
      this.giveUpLate();
      this.closeWhenEmpty();
    }, LATE_MS);
  }

  private stop(): void {
    if (this.state !== 'running' && this.state !== 'over') return;
    this.state = 'stopped';
    for (const { stage } of this.loads) {
      stage.draining = true;
      stage.stopped = true;
    }
    this.closeDoor();
    this.dismissPausing(() => true);
  }

  private tidyUp(nowUs: number): void {
    for (const { stage } of this.loads) stage.closeRetired(nowUs);
    this.tidy(nowUs);
  }

  private closeWhenEmpty(): void {
    // Who makes no more requests of a journey is still there, and so is what their page asks for.
    if (this.state === 'over' && this.isWithin(this.background.firstUs)) return;
    if (
      (this.state === 'running' && !this.isOutOfRows) ||
      this.present > 0 ||
      this.backgroundOwed > 0 ||
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
