/** Where one connection stands in its journey through the steps. */
export class StepCursor {
  /** The step to send, or the one that is on its way. */
  step = 0;
  private requests = 0;
  private hasFailed = false;

  /** True before the first journey and after the last step of each. */
  get isOver(): boolean {
    return this.step === this.requests;
  }

  begin(requests: number): void {
    this.requests = requests;
    this.step = 0;
    this.hasFailed = false;
  }

  /** The step is settled; `answered`: with a complete answer, whatever its status. */
  settle(answered: boolean): void {
    this.step += 1;
    if (!answered) this.hasFailed = true;
  }

  /** The steps that are left are not taken. */
  breakOff(): void {
    this.step = this.requests;
    this.hasFailed = true;
  }

  /** A journey is finished when every step of it was answered. */
  get isFinished(): boolean {
    return this.isOver && !this.hasFailed;
  }
}
