import { ArrivalSchedule, type Schedule } from '#core/work/load/arrivals.ts';
import { stageAt } from '#core/work/load/rateCurve.ts';
import { pauseSeconds } from '#core/work/journey/flow/pauses.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { Clock } from '#workers/clock.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { NativeLoadOptions } from '../nativeLoad.ts';
import { IdleUsers } from './dueQueue.ts';
import { PacedDriver } from './pacedDriver.ts';
import type { PacedVirtualUser } from './pacedVirtualUser.ts';
import { missingPartError } from '#workers/noSuch.ts';

/**
 * Claims one of the `maxJourneys` places that all threads share. `taken` holds the number of claimed places. Returns false if none is free.
 */
function claimJourney(taken: Int32Array, maxJourneys: number): boolean {
  for (let seen = Atomics.load(taken, 0); seen < maxJourneys;) {
    const before = Atomics.compareExchange(taken, 0, seen, seen + 1);
    if (before === seen) return true;
    seen = before;
  }
  return false;
}

function releaseJourney(taken: Int32Array): void {
  Atomics.sub(taken, 0, 1);
}

const SECOND_US = 1_000_000;
/**
 * Maximum number of pauses of an arrival: 2^16, more than a journey makes. With this factor, the pause numbers of the last possible arrival
 * are still safe integers.
 */
const MAX_PAUSES_PER_ARRIVAL = 65_536;

export interface ArrivalsOptions {
  readonly schedule: Schedule;
  readonly thread: { readonly index: number; readonly count: number };
  /** Number of load threads in this process. While cores are free, each may wait actively on its own core. */
  readonly threadsHere: number;
  readonly recorders: readonly StageRecorder[];
  readonly maxInFlight: readonly number[];
  /** Number of journeys in progress, shared by all threads. */
  readonly journeysInFlight: Int32Array;
  readonly thinkTime: ThinkTime | null;
  readonly seed: number;
  readonly now: Clock;
}

/**
 * Runs the open load model: journeys start at scheduled times, whether or not earlier journeys have ended. Arrival k uses target k mod T,
 * over the idle connection that was used last or over a new connection.
 */
export class ArrivalsDriver extends PacedDriver {
  protected nextArrivalUs = Number.POSITIVE_INFINITY;
  protected loadEndsUs = 0;
  private readonly options: ArrivalsOptions;
  private readonly arrivals: ArrivalSchedule;
  private readonly idle: readonly IdleUsers<PacedVirtualUser>[];
  /** Maximum number of arrivals, each of which needs a separate row of a feed. */
  private readonly maxArrivals: number;
  private readonly targets: number;

  /** @throws {HoldfastError} for certificates or keys that cannot be used. */
  constructor(targets: readonly NativeLoadOptions[], options: ArrivalsOptions) {
    super(targets, options.now, options.threadsHere);
    this.options = options;
    this.arrivals = new ArrivalSchedule(options.schedule.curve, options.schedule.spacing, options.thread);
    this.idle = targets.map(() => new IdleUsers<PacedVirtualUser>());
    this.targets = targets.length;
    this.maxArrivals = Math.min(...targets.map(({ script }) => script?.maxUsers ?? Number.POSITIVE_INFINITY));
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
    if (number >= this.maxArrivals) {
      recorder.journeyNotStarted('generator', nowUs);
      return;
    }
    if (!claimJourney(options.journeysInFlight, options.maxInFlight[stage] ?? 0)) {
      recorder.journeyNotStarted('target', nowUs);
      return;
    }
    const target = number % this.targets;
    const user = this.idle[target]?.take() ?? this.createUser(target);
    this.admit(user, number, dueUs, nowUs, { stage, recorder });
  }

  protected pauseUs(user: PacedVirtualUser): number {
    const { thinkTime, seed } = this.options;
    const pause = user.ownPause ?? thinkTime;
    if (pause === null || pause === 'none' || user.isBetweenJourneys) return 0;
    const index = user.number * MAX_PAUSES_PER_ARRIVAL + (user.pauses % MAX_PAUSES_PER_ARRIVAL);
    user.pauses += 1;
    return pauseSeconds(pause, seed, index) * SECOND_US;
  }

  /** Always returns false, because arrivals have no background requests. */
  protected isWithin(): boolean {
    return false;
  }

  /** Returns whether the user is on a journey, because a started journey runs to its end. */
  protected isContinued(user: PacedVirtualUser): boolean {
    return !user.isBetweenJourneys;
  }

  protected recorderAt(dueUs: number): StageRecorder {
    return this.recorderOf(stageAt(this.options.schedule.curve, (dueUs - this.startUs) / SECOND_US));
  }

  protected onNoRowLeft(_user: PacedVirtualUser, nowUs: number, recorder: StageRecorder): void {
    recorder.journeyNotStarted('generator', nowUs);
  }

  protected userLeft(user: PacedVirtualUser, nowUs: number): void {
    releaseJourney(this.options.journeysInFlight);
    this.idle[this.loads.indexOf(user.load)]?.put(user, nowUs);
  }

  protected dropLate(): void {
    const nowUs = this.now();
    for (; Number.isFinite(this.nextArrivalUs); this.takeNext())
      this.recorderOf(this.arrivals.nextStage).journeyNotStarted('generator', nowUs);
  }

  protected endArrivals(): void {
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
    if (recorder === undefined) throw missingPartError('stage', stage);
    return recorder;
  }
}
