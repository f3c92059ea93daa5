/** Position of one connection in its journey. */
export class StepCursor {
  /** Index of the next step, or of the step in flight. */
  step = 0;
  private requests = 0;
  /** Index of the first step of the journey without a response; null if there is none. */
  failedStep: number | null = null;

  /** True before the first journey and after each. */
  get isOver(): boolean {
    return this.step === this.requests;
  }

  begin(requests: number): void {
    this.requests = requests;
    this.step = 0;
    this.failedStep = null;
  }

  /** The step has ended. `responded`: with a complete response of any status. */
  settle(responded: boolean): void {
    if (!responded) this.failedStep ??= this.step;
    this.step += 1;
  }

  /** Ends the journey without its remaining steps. */
  breakOff(): void {
    this.failedStep ??= this.step;
    this.step = this.requests;
  }

  /** A journey is finished if every step had a complete response. */
  get isFinished(): boolean {
    return this.isOver && this.failedStep === null;
  }
}
