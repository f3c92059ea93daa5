import type { ThinkTime } from '#core/plan/schema/load.ts';
import { noSuch } from '../noSuch.ts';
import type { DrivenStep, Wait } from './drivenSteps.ts';
import type { PageRequest } from './pageHost.ts';
import { StepCursor } from './stepCursor.ts';

/** Who walks, and for the how manieth time. Both count from 0. */
export interface Visit {
  /** Number of the user, the connection or the arrival in the whole plan. */
  readonly user: number;
  /** Of this user. */
  readonly journey: number;
  /** Of the plan, in which it begins. */
  readonly stage: number;
}

/** A request that cannot be made from what the journey knows. */
export interface Unsendable {
  readonly slot: number;
  /** Why, as it is counted among the errors. */
  readonly unsendable: string;
  readonly page?: PageRequest;
  readonly sideOrigin?: string;
  /** Who was to send it. */
  readonly user?: number;
  readonly wait?: Wait;
}

/** One user's way through the journeys of a plan: which request comes next, and when a journey is over. */
export interface Walk {
  /** True before the first journey and after each. */
  readonly isOver: boolean;
  /** The journey that is over was walked to its end. */
  readonly isFinished: boolean;
  /** How long to pause before the next request; null: as long as the load says. */
  readonly pause: ThinkTime | 'none' | null;
  /** What the journey waits for is still to come: its requests go on when the time of the load is over, for as long as the drain lasts. */
  readonly isUnsettled: boolean;
  /** `requests`: how many steps this journey takes at most. False when no row is left to walk with; the journey does not begin then. */
  begin(visit: Visit, requests: number): boolean;
  /** Only when the journey is not over. */
  next(): DrivenStep | Unsendable;
  /** The request is settled; `answered`: with a complete answer, whatever its status. */
  settle(answered: boolean): void;
  /** What is left of the journey is not walked. */
  breakOff(): void;
  /** Since they came as somebody new, the user got a good answer to the step at this position. */
  hasReached(step: number): boolean;
  /** A walk in the same user's name that takes nothing but this step, with what they know and have. */
  beside(step: number): Walk;
}

/** Sends the same requests in every journey, whatever is answered. */
export class PlainWalk implements Walk {
  readonly pause = null;
  readonly isUnsettled = false;
  private readonly steps: readonly DrivenStep[];
  private readonly journey = new StepCursor();

  constructor(steps: readonly DrivenStep[]) {
    this.steps = steps;
  }

  get isOver(): boolean {
    return this.journey.isOver;
  }

  get isFinished(): boolean {
    return this.journey.isFinished;
  }

  begin(_visit: Visit, requests: number): boolean {
    this.journey.begin(requests);
    return true;
  }

  next(): DrivenStep {
    const step = this.steps[this.journey.step];
    if (step === undefined) throw noSuch('step', this.journey.step);
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
