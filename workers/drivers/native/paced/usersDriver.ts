import { pauseSeconds } from '#core/work/journey/flow/pauses.ts';
import type { ThinkTime, UsersStage } from '#core/plan/schema/load.ts';
import type { Clock } from '#workers/clock.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { NativeLoadOptions } from '../nativeLoad.ts';
import { PacedDriver } from './pacedDriver.ts';
import type { PacedVirtualUser } from './pacedVirtualUser.ts';

const SECOND_US = 1_000_000;

/** A stage of users, and where its requests are recorded. */
export interface DrivenUsersStage {
  /** Its position in the plan. */
  readonly index: number;
  readonly seconds: number;
  readonly recorder: StageRecorder;
}

export interface UsersOptions {
  /** The first stage, in which the users start. */
  readonly stage: UsersStage;
  /** The first stage, and those in which the same users go on. */
  readonly stages: readonly [DrivenUsersStage, ...DrivenUsersStage[]];
  readonly thread: { readonly index: number; readonly count: number };
  /** Number of load threads in this process; each waits actively on a core of its own where cores are free. */
  readonly threadsHere: number;
  /** For requests that are to start before all users run. */
  readonly startUpRecorder: StageRecorder;
  readonly thinkTime: ThinkTime | null;
  readonly seed: number;
  readonly now: Clock;
}

/**
 * The closed model with people in it: each user walks through one journey after the other and pauses after each answer. User i belongs to
 * thread i mod threads and to target i mod T.
 */
export class UsersDriver extends PacedDriver {
  protected nextArrivalUs = Number.POSITIVE_INFINITY;
  private readonly options: UsersOptions;
  private readonly targets: number;
  private nextUser: number;
  private allRunUs = 0;
  protected loadEndsUs = 0;
  /** By stage. */
  private endsUs: readonly number[] = [];

  /** @throws {HoldfastError} for certificates or keys that cannot be used. */
  constructor(targets: readonly NativeLoadOptions[], options: UsersOptions) {
    super(targets, options.now, options.threadsHere);
    this.options = options;
    this.targets = targets.length;
    this.nextUser = options.thread.index;
  }

  override start(startUs: number): void {
    const { restSeconds, startUpSeconds } = this.options.stage;
    this.allRunUs = startUs + (restSeconds + startUpSeconds) * SECOND_US;
    this.loadEndsUs = this.allRunUs;
    this.endsUs = this.options.stages.map(({ seconds }) => (this.loadEndsUs += seconds * SECOND_US));
    this.nextArrivalUs = this.arrivalUs(startUs);
    super.start(startUs);
  }

  protected arrive(nowUs: number): void {
    const user = this.nextUser;
    const dueUs = this.nextArrivalUs;
    this.nextUser += this.options.thread.count;
    this.nextArrivalUs = this.arrivalUs(this.startUs);
    const recorder = this.recorderAt(dueUs);
    this.admit(this.newUser(user % this.targets), user, dueUs, nowUs, { stage: this.stageAt(dueUs).index, recorder });
  }

  /** Pause n of user i has the same length however many threads there are. */
  protected pauseUs(user: PacedVirtualUser): number {
    const { thinkTime, seed, stage } = this.options;
    const pause = user.ownPause ?? thinkTime;
    if (pause === null || pause === 'none') return 0;
    const index = user.pauses * stage.users + user.number;
    user.pauses += 1;
    return pauseSeconds(pause, seed, index) * SECOND_US;
  }

  /** Redirects belong to the request that led to them. */
  protected isWithin(dueUs: number): boolean {
    return dueUs < this.loadEndsUs;
  }

  protected goesOn(user: PacedVirtualUser, dueUs: number): boolean {
    return dueUs < this.loadEndsUs || user.ownPause === 'none' || user.isUnsettled;
  }

  protected recorderAt(dueUs: number): StageRecorder {
    return dueUs < this.allRunUs ? this.options.startUpRecorder : this.stageAt(dueUs).recorder;
  }

  protected override stageNumberAt(dueUs: number): number {
    return this.stageAt(dueUs).index;
  }

  protected left(user: PacedVirtualUser): void {
    user.disconnect();
  }

  protected giveUpLate(): void {
    this.closeDoor();
    this.dismissPausing((user) => !user.isUnsettled);
  }

  protected closeDoor(): void {
    this.nextArrivalUs = Number.POSITIVE_INFINITY;
  }

  protected tidy(): void {}

  /** What is due after the end of the last belongs to that. */
  private stageAt(dueUs: number): DrivenUsersStage {
    const { stages } = this.options;
    const at = this.endsUs.findIndex((endUs) => dueUs < endUs);
    return stages[at < 0 ? stages.length - 1 : at] ?? stages[0];
  }

  private arrivalUs(startUs: number): number {
    const { users, restSeconds, startUpSeconds } = this.options.stage;
    if (this.nextUser >= users) return Number.POSITIVE_INFINITY;
    return startUs + (restSeconds + (this.nextUser * startUpSeconds) / users) * SECOND_US;
  }
}
