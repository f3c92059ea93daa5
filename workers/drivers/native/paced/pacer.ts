import { countActiveWaiting, type Clock } from '#workers/clock.ts';

/** Time by which a timer is set earlier than the instant, because timers fire up to 0.1 ms late even if nothing delays the thread. */
const TIMER_LATENESS_US = 100;
/**
 * Maximum share of the time in which the event loop may turn only to wait, if no core is free. Such waiting is for an instant that is too
 * close for a timer.
 */
const WAITING_SHARE = 0.2;
const MAX_SAVED_US = 5_000;
/** Time before an instant in which a timer would be late by a whole millisecond. Some waiting time is reserved for these instants. */
const CLOSE_US = 150;
const RESERVED_US = 1_500;
/** Maximum duration of a turn in which nothing was read. The rest of a longer turn was work. */
const EMPTY_TURN_US = 20;
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `turn` whenever something is due. One timer is enough for all instants of a driver. A timer counts in milliseconds, so during the
 * last millisecond before an instant, the event loop turns continuously and reads responses as usual. These turns keep a core busy. If no
 * core is free, they may take a fifth of the time. After that, a timer of 1 ms is used, which is late by up to 1 ms.
 */
export class Pacer {
  private readonly now: Clock;
  private readonly turn: () => number;
  private readonly isCoreFree: (nowUs: number) => boolean;
  /** Due time for which the timer or the immediate callback is set. */
  private armedForUs = Number.POSITIVE_INFINITY;
  private timer: NodeJS.Timeout | null = null;
  private immediate: NodeJS.Immediate | null = null;
  private isTurning = false;
  private isStopped = false;
  private savedUs = MAX_SAVED_US;
  private accountedUs: number;
  /** Whether the event loop turns only to wait. */
  private isWaiting = false;
  private readonly wake = (): void => {
    this.timer = null;
    this.immediate = null;
    this.armedForUs = Number.POSITIVE_INFINITY;
    this.check();
  };

  /**
   * `turn` does what is due and returns the next instant: a time in the past if work is left, Infinity if nothing is planned. `isCoreFree`
   * returns whether this thread may keep a core busy.
   */
  constructor(now: Clock, turn: () => number, isCoreFree: (nowUs: number) => boolean) {
    this.now = now;
    this.turn = turn;
    this.isCoreFree = isCoreFree;
    this.accountedUs = now();
  }

  /** Starts what is due now. Must be called when something new may be due. */
  check(): void {
    if (this.isTurning || this.isStopped) return;
    this.isTurning = true;
    const dueUs = this.turn();
    this.isTurning = false;
    // A timer for an earlier time calls `check` again.
    if (!this.isStopped && dueUs < this.armedForUs) this.arm(dueUs);
  }

  stop(): void {
    this.isStopped = true;
    this.disarm();
  }

  private arm(dueUs: number): void {
    this.disarm();
    this.armedForUs = dueUs;
    const nowUs = this.now();
    this.account(nowUs);
    const leftUs = dueUs - nowUs;
    const sleepMs = Math.floor((leftUs - TIMER_LATENESS_US) / 1_000);
    this.isWaiting = leftUs > 0 && sleepMs < 1 && this.mayWait(leftUs, nowUs);
    if (leftUs <= 0 || this.isWaiting) this.immediate = setImmediate(this.wake);
    else this.timer = setTimeout(this.wake, Math.min(MAX_TIMER_MS, Math.max(1, sleepMs)));
  }

  private mayWait(leftUs: number, nowUs: number): boolean {
    return this.isCoreFree(nowUs) || this.savedUs > (leftUs < CLOSE_US ? 0 : RESERVED_US);
  }

  /** Adds to the budget for active waiting, and subtracts the time that was spent since the last call. */
  private account(nowUs: number): void {
    const elapsedUs = nowUs - this.accountedUs;
    this.accountedUs = nowUs;
    const waitedUs = this.isWaiting ? elapsedUs : 0;
    this.savedUs = Math.max(-MAX_SAVED_US, Math.min(MAX_SAVED_US, this.savedUs + WAITING_SHARE * elapsedUs - waitedUs));
    countActiveWaiting(Math.min(EMPTY_TURN_US, waitedUs));
    this.isWaiting = false;
  }

  private disarm(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.immediate !== null) clearImmediate(this.immediate);
    this.timer = null;
    this.immediate = null;
    this.armedForUs = Number.POSITIVE_INFINITY;
  }
}
