import { STANDSTILL_US } from '#core/measurement/window.ts';

/** Notices when a thread had no turn for long. All instants are microseconds of one clock. */
export class Standstill {
  private lastTurnUs = Number.POSITIVE_INFINITY;
  private fromUs = 0;
  private toUs = 0;

  /** The thread is watched from now on. */
  begin(nowUs: number): void {
    this.lastTurnUs = nowUs;
  }

  /** The thread has a turn. To be told often, and before anything that it does late is looked at. */
  hadTurn(nowUs: number): void {
    if (nowUs - this.lastTurnUs >= STANDSTILL_US) {
      this.fromUs = this.lastTurnUs;
      this.toUs = nowUs;
    }
    this.lastTurnUs = nowUs;
  }

  /** How much of a stretch of time lay in the last standstill, in microseconds. */
  within(fromUs: number, toUs: number): number {
    return Math.max(0, Math.min(toUs, this.toUs) - Math.max(fromUs, this.fromUs));
  }
}
