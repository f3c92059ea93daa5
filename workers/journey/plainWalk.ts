import { Journey } from '../drivers/journey.ts';
import type { DrivenStep } from '../drivers/stageLoad.ts';
import type { Visit, Walk } from './walk.ts';

/** Sends the same requests in every journey, whatever is answered. */
export class PlainWalk implements Walk {
  readonly pause = null;
  private readonly steps: readonly DrivenStep[];
  private readonly journey = new Journey();

  constructor(steps: readonly DrivenStep[]) {
    this.steps = steps;
  }

  get isOver(): boolean {
    return this.journey.isOver;
  }

  get isFinished(): boolean {
    return this.journey.isFinished;
  }

  begin(_visit: Visit, requests: number): void {
    this.journey.begin(requests);
  }

  next(): DrivenStep {
    const step = this.steps[this.journey.step];
    if (step === undefined) throw new RangeError(`The plan has no step ${this.journey.step}.`);
    return step;
  }

  settle(answered: boolean): void {
    this.journey.settle(answered);
  }

  hasReached(): boolean {
    return false;
  }

  beside(): Walk {
    throw new RangeError('Nothing is sent beside a journey that is always the same.');
  }

  breakOff(): void {
    this.journey.breakOff();
  }
}
