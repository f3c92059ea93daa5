import { pauseSeconds } from '#core/work/journey/flow/pauses.ts';
import type { ThinkTime, UsersStage } from '#core/plan/schema/load.ts';
import type { Clock } from '#workers/clock.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { NativeLoadOptions } from '../nativeLoad.ts';
import { missingPartError } from '#workers/noSuch.ts';
import { PacedDriver } from './pacedDriver.ts';
import type { PacedVirtualUser } from './pacedVirtualUser.ts';

const SECOND_US = 1_000_000;

export interface DrivenUsersStage {
  readonly index: number;
  readonly settings: UsersStage;
  readonly recorder: StageRecorder;
  /** Records requests whose scheduled start is before all users of the stage run. */
  readonly startUpRecorder: StageRecorder;
}

export interface UsersOptions {
  /** The first stage, in which all users start, and the stages that continue it. */
  readonly stages: readonly [DrivenUsersStage, ...DrivenUsersStage[]];
  readonly thread: { readonly index: number; readonly count: number };
  /** Number of load threads in this process. While cores are free, each may wait actively on its own core. */
  readonly threadsHere: number;
  readonly thinkTime: ThinkTime | null;
  /** Minimum time between the starts of two journeys of a user. */
  readonly paceSeconds: number;
  readonly seed: number;
  readonly now: Clock;
}

interface TimedStage extends DrivenUsersStage {
  /** Number of users of the previous stage. */
  readonly usersBefore: number;
  /** Start of the time in which users start or leave. It ends at `allRunUs`. */
  readonly changesUs: number;
  readonly allRunUs: number;
  readonly endsUs: number;
}

/**
 * Runs the closed load model with users: each user runs one journey after the other and pauses after each response. User i belongs to
 * thread i mod threads and to target i mod T. If a stage has more users than the one before, users with the next numbers start. If it has
 * fewer, those with the highest numbers leave.
 */
export class UsersDriver extends PacedDriver {
  protected nextArrivalUs = Number.POSITIVE_INFINITY;
  protected loadEndsUs = 0;
  private readonly options: UsersOptions;
  private readonly targets: number;
  private readonly maxUsers: number;
  private timed: readonly TimedStage[] = [];
  private nextUser = 0;
  /** Index of the stage in which the next user starts. */
  private arriving = 0;

  /** @throws {HoldfastError} for certificates or keys that cannot be used. */
  constructor(targets: readonly NativeLoadOptions[], options: UsersOptions) {
    super(targets, options.now, options.threadsHere);
    this.options = options;
    this.targets = targets.length;
    this.maxUsers = Math.max(...options.stages.map(({ settings }) => settings.users));
  }

  override start(startUs: number): void {
    this.loadEndsUs = startUs;
    let usersBefore = 0;
    this.timed = this.options.stages.map((stage) => {
      const { users, restSeconds, startUpSeconds, seconds } = stage.settings;
      const changesUs = this.loadEndsUs + restSeconds * SECOND_US;
      const allRunUs = changesUs + startUpSeconds * SECOND_US;
      this.loadEndsUs = allRunUs + seconds * SECOND_US;
      const timed = { ...stage, usersBefore, changesUs, allRunUs, endsUs: this.loadEndsUs };
      usersBefore = users;
      return timed;
    });
    this.nextUser = this.options.thread.index;
    this.findArrival();
    super.start(startUs);
  }

  protected arrive(nowUs: number): void {
    const number = this.nextUser;
    const dueUs = this.nextArrivalUs;
    const user = this.createUser(number % this.targets);
    user.leavesUs = this.leavesUs(number, this.arriving);
    this.nextUser += this.options.thread.count;
    this.findArrival();
    this.admit(user, number, dueUs, nowUs, { stage: this.stageAt(dueUs).index, recorder: this.recorderAt(dueUs) });
  }

  /** Returns the pause of a user. Pause n of user i has the same length on any number of threads. */
  protected pauseUs(user: PacedVirtualUser, atUs: number): number {
    const { thinkTime, paceSeconds, seed } = this.options;
    const pause = user.ownPause ?? thinkTime;
    const paceUs = user.isBetweenJourneys ? user.begunUs + paceSeconds * SECOND_US - atUs : 0;
    if (pause === null || pause === 'none') return Math.max(0, paceUs);
    const index = user.pauses * this.maxUsers + user.number;
    user.pauses += 1;
    return Math.max(paceUs, pauseSeconds(pause, seed, index) * SECOND_US);
  }

  protected isWithin(dueUs: number): boolean {
    return dueUs < this.loadEndsUs;
  }

  /** Returns whether the user sends the request. A redirect belongs to the request that it redirects. */
  protected isContinued(user: PacedVirtualUser, dueUs: number): boolean {
    return dueUs < Math.min(this.loadEndsUs, user.leavesUs) || user.ownPause === 'none' || user.isUnsettled;
  }

  protected recorderAt(dueUs: number): StageRecorder {
    const { allRunUs, recorder, startUpRecorder } = this.stageAt(dueUs);
    return dueUs < allRunUs ? startUpRecorder : recorder;
  }

  protected override stageNumberAt(dueUs: number): number {
    return this.stageAt(dueUs).index;
  }

  /** Ends the background requests of the user, and starts no further users. */
  protected onNoRowLeft(user: PacedVirtualUser): void {
    user.endBackground();
    this.isOutOfRows = true;
    this.endArrivals();
  }

  protected userLeft(user: PacedVirtualUser): void {
    user.disconnect();
  }

  protected dropLate(): void {
    this.endArrivals();
    this.dismissPausing((user) => !user.isUnsettled);
  }

  protected endArrivals(): void {
    this.nextArrivalUs = Number.POSITIVE_INFINITY;
  }

  protected tidy(): void {}

  /** Returns the stage at a time. Times after the end of the last stage belong to that stage. */
  private stageAt(dueUs: number): TimedStage {
    const found = this.timed.find(({ endsUs }) => dueUs < endsUs) ?? this.timed.at(-1);
    if (found === undefined) throw missingPartError('stage', 0);
    return found;
  }

  /** Finds when the next user of this thread starts: in the current stage, or in the next stage with more users. */
  private findArrival(): void {
    const { index, count } = this.options.thread;
    for (; this.arriving < this.timed.length; this.arriving += 1) {
      const stage = this.timed[this.arriving];
      if (stage === undefined) break;
      const { usersBefore, changesUs, allRunUs, settings } = stage;
      if (this.nextUser < usersBefore) this.nextUser = usersBefore + ((((index - usersBefore) % count) + count) % count);
      if (this.nextUser < settings.users) {
        const share = (this.nextUser - usersBefore) / (settings.users - usersBefore);
        this.nextArrivalUs = changesUs + share * (allRunUs - changesUs);
        return;
      }
      // In a later stage, users with any number may start.
      this.nextUser = 0;
    }
    this.nextArrivalUs = Number.POSITIVE_INFINITY;
  }

  /** Returns when a user who started in stage `from` leaves. Users leave one after the other, those with the highest numbers first. */
  private leavesUs(number: number, from: number): number {
    const stage = this.timed.find(({ settings }, at) => at > from && settings.users <= number);
    if (stage === undefined) return Number.POSITIVE_INFINITY;
    const { usersBefore, settings, changesUs, allRunUs } = stage;
    return changesUs + ((usersBefore - number) / (usersBefore - settings.users)) * (allRunUs - changesUs);
  }
}
