import { STANDSTILL_US } from '#core/measurement/window.ts';

/** Detects when a thread did not run for long. Times are microseconds of one clock. */
export class Standstill {
  private lastTurnUs = Number.POSITIVE_INFINITY;
  private fromUs = 0;
  private toUs = 0;

  /** Starts watching. */
  begin(nowUs: number): void {
    this.lastTurnUs = nowUs;
  }

  /** Notes that the thread runs. Call it often, and before evaluating anything that the thread does late. */
  hadTurn(nowUs: number): void {
    if (nowUs - this.lastTurnUs >= STANDSTILL_US) {
      this.fromUs = this.lastTurnUs;
      this.toUs = nowUs;
    }
    this.lastTurnUs = nowUs;
  }

  /** Returns the overlap of a period with the last standstill, in microseconds. */
  within(fromUs: number, toUs: number): number {
    return Math.max(0, Math.min(toUs, this.toUs) - Math.max(fromUs, this.fromUs));
  }
}
