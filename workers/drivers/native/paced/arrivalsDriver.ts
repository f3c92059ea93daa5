import { ArrivalSchedule } from '#core/work/load/arrivals.ts';
import { stageAt } from '#core/work/load/rateCurve.ts';
import type { Schedule } from '#core/work/load/schedule.ts';
import { pauseSeconds } from '#core/work/journey/flow/pauses.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { Clock } from '#workers/clock.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { NativeLoadOptions } from '../nativeLoad.ts';
import { IdleUsers } from './dueQueue.ts';
import { PacedDriver } from './pacedDriver.ts';
import type { PacedVirtualUser } from './pacedVirtualUser.ts';
import { noSuch } from '#workers/noSuch.ts';

/** Takes one of the `most` places that all threads share. `taken` holds one number. False when none is free. */
function claimPlace(taken: Int32Array, most: number): boolean {
  for (let seen = Atomics.load(taken, 0); seen < most;) {
    const before = Atomics.compareExchange(taken, 0, seen, seen + 1);
    if (before === seen) return true;
    seen = before;
  }
  return false;
}

function leavePlace(taken: Int32Array): void {
  Atomics.sub(taken, 0, 1);
}

const SECOND_US = 1_000_000;
/** More pauses than a journey makes; with it, the most arrivals of a run still have numbers of their own. */
const PAUSES_OF_AN_ARRIVAL = 65_536;

export interface ArrivalsOptions {
  readonly schedule: Schedule;
  readonly thread: { readonly index: number; readonly count: number };
  /** Number of load threads in this process; each waits actively on a core of its own where cores are free. */
  readonly threadsHere: number;
  /** By stage. */
  readonly recorders: readonly StageRecorder[];
  /** By stage: journeys that may be on their way at the same time, in all threads together. */
  readonly maxInFlight: readonly number[];
  /** One number, shared by all threads: journeys on their way. */
  readonly journeysInFlight: Int32Array;
  readonly thinkTime: ThinkTime | null;
  readonly seed: number;
  readonly now: Clock;
}

/**
 * The open model: journeys begin at the instants of a schedule, whether or not earlier ones are answered. Arrival k goes to target k mod T, over
 * the connection that was idle there for the shortest time, or over a new one.
 */
export class ArrivalsDriver extends PacedDriver {
  protected nextArrivalUs = Number.POSITIVE_INFINITY;
  protected loadEndsUs = 0;
  private readonly options: ArrivalsOptions;
  private readonly arrivals: ArrivalSchedule;
  private readonly idle: readonly IdleUsers<PacedVirtualUser>[];
  /** Later ones have no row of a feed of their own. */
  private readonly mostArrivals: number;
  /** Arrivals are spread over these: never none. */
  private readonly targets: number;

  /** @throws {HoldfastError} for certificates or keys that cannot be used. */
  constructor(targets: readonly NativeLoadOptions[], options: ArrivalsOptions) {
    super(targets, options.now, options.threadsHere);
    this.options = options;
    this.arrivals = new ArrivalSchedule(options.schedule.curve, options.schedule.spacing, options.thread);
    this.idle = targets.map(() => new IdleUsers<PacedVirtualUser>());
    this.targets = targets.length;
    this.mostArrivals = Math.min(...targets.map(({ script }) => script?.mostUsers ?? Number.POSITIVE_INFINITY));
  }

  override start(startUs: number): void {
    this.loadEndsUs = startUs + this.options.schedule.curve.seconds * SECOND_US;
    this.nextArrivalUs = startUs + this.arrivals.nextSecond * SECOND_US;
    super.start(startUs);
  }

  protected arrive(nowUs: number): void {
    const { arrivals, options } = this;
    const { nextIndex: number, nextStage: stage } = arrivals;
    const dueUs = this.nextArrivalUs;
    this.takeNext();
    const recorder = this.recorderOf(stage);
    if (number >= this.mostArrivals) {
      recorder.journeyNotStarted('generator', nowUs);
      return;
    }
    if (!claimPlace(options.journeysInFlight, options.maxInFlight[stage] ?? 0)) {
      recorder.journeyNotStarted('target', nowUs);
      return;
    }
    const target = number % this.targets;
    const user = this.idle[target]?.take() ?? this.newUser(target);
    this.admit(user, number, dueUs, nowUs, { stage, recorder });
  }

  protected pauseUs(user: PacedVirtualUser): number {
    const { thinkTime, seed } = this.options;
    const pause = user.ownPause ?? thinkTime;
    if (pause === null || pause === 'none' || user.isBetweenJourneys) return 0;
    const index = user.number * PAUSES_OF_AN_ARRIVAL + (user.pauses % PAUSES_OF_AN_ARRIVAL);
    user.pauses += 1;
    return pauseSeconds(pause, seed, index) * SECOND_US;
  }

  /** An arrival sends nothing beside its journey. */
  protected isWithin(): boolean {
    return false;
  }

  /** A journey that has begun is walked to its end, as that of a user would be. */
  protected goesOn(user: PacedVirtualUser): boolean {
    return !user.isBetweenJourneys;
  }

  protected recorderAt(dueUs: number): StageRecorder {
    return this.recorderOf(stageAt(this.options.schedule.curve, (dueUs - this.startUs) / SECOND_US));
  }

  protected noRowLeft(_user: PacedVirtualUser, nowUs: number, recorder: StageRecorder): void {
    recorder.journeyNotStarted('generator', nowUs);
  }

  protected left(user: PacedVirtualUser, nowUs: number): void {
    leavePlace(this.options.journeysInFlight);
    this.idle[this.loads.indexOf(user.load)]?.put(user, nowUs);
  }

  protected giveUpLate(): void {
    const nowUs = this.now();
    for (; Number.isFinite(this.nextArrivalUs); this.takeNext())
      this.recorderOf(this.arrivals.nextStage).journeyNotStarted('generator', nowUs);
  }

  protected closeDoor(): void {
    this.nextArrivalUs = Number.POSITIVE_INFINITY;
  }

  protected tidy(nowUs: number): void {
    for (const idle of this.idle) idle.closeUnused(nowUs);
  }

  private takeNext(): void {
    this.arrivals.advance();
    this.nextArrivalUs = this.startUs + this.arrivals.nextSecond * SECOND_US;
  }

  private recorderOf(stage: number): StageRecorder {
    const recorder = this.options.recorders[stage];
    if (recorder === undefined) throw noSuch('stage', stage);
    return recorder;
  }
}
