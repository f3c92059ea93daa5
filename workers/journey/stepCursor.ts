/** Position of one connection in its journey. */
export class StepCursor {
  /** Index of the next step, or of the step in flight. */
  step = 0;
  private requests = 0;
  private hasFailed = false;

  /** True before the first journey and after each. */
  get isOver(): boolean {
    return this.step === this.requests;
  }

  begin(requests: number): void {
    this.requests = requests;
    this.step = 0;
    this.hasFailed = false;
  }

  /** The step has ended. `answered`: with a complete response of any status. */
  settle(answered: boolean): void {
    this.step += 1;
    if (!answered) this.hasFailed = true;
  }

  /** Ends the journey without its remaining steps. */
  breakOff(): void {
    this.step = this.requests;
    this.hasFailed = true;
  }

  /** A journey is finished if every step had a complete response. */
  get isFinished(): boolean {
    return this.isOver && !this.hasFailed;
  }
}
