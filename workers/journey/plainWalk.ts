import type { DuetSide } from '#core/work/journey/duet.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import { missingPartError } from '../noSuch.ts';
import type { DrivenStep, Wait } from './drivenSteps.ts';
import type { PageRequest } from './pageHost.ts';

/** Identifies a journey by its user and its number; both are counted from 0. */
export interface Visit {
  /** Number of the user, connection or arrival within the plan. */
  readonly user: number;
  readonly journey: number;
  /** Stage of the plan in which the journey starts. */
  readonly stage: number;
  /** Variant of a duet in whose slot the journey was scheduled; omitted without a duet. */
  readonly side?: DuetSide | undefined;
}

/** A bell at which waiting users continue. */
export interface Gate {
  readonly bell: string;
  /** Index of the gate among those of the journey. */
  readonly index: number;
  /** Time from the start of the load to the bell. */
  readonly afterUs: number;
  /** Whether a user who reaches the gate after the bell ends the journey. */
  readonly endsLateJourneys: boolean;
}

/** A request that cannot be built from the journey's values. */
export interface UnsendableRequest {
  readonly requestIndex: number;
  /** Error name under which the request is counted. */
  readonly unsendable: string;
  readonly page?: PageRequest;
  readonly sideOrigin?: string;
  readonly user?: number;
  readonly wait?: Wait;
}

/** The sequence of a user's requests over the journeys of a plan. */
export interface Walk {
  /** Whether no journey is in progress: true before the first journey and after each journey. */
  readonly isOver: boolean;
  /** Whether the last journey ran to its end without failure. */
  readonly isFinished: boolean;
  /** Pause before the next request; null for the think time of the load. */
  readonly pause: ThinkTime | 'none' | null;
  /** Slot of the current step, not including its redirects. Valid only while the journey is not over. */
  readonly requestIndex: number;
  /** Slot of the first step that failed in this journey; null if none did. */
  readonly failedSlot: number | null;
  /** The bell that the user waits for before the next request; null if the user does not wait. */
  readonly gate: Gate | null;
  /** Whether the last settled request ended its step: no redirect, poll or further page of it follows. */
  readonly hasEndedStep: boolean;
  /** Number of reloads of the current step so far. */
  readonly reloads: number;
  /** Whether the step that ended last was successful. */
  readonly wasStepOk: boolean;
  /** Whether the journey waits for a result. If so, its requests continue after the end of the load until the drain ends. */
  readonly isUnsettled: boolean;
  /** Begins a journey. `requests` is the maximum number of steps. Returns false if no row of a feed is left; no journey begins then. */
  begin(visit: Visit, requests: number): boolean;
  /** Returns the next request. Must be called only while the journey is not over. */
  next(): DrivenStep | UnsendableRequest;
  /** Called when the request has ended. `responded`: whether it has a complete response, of any status. */
  settle(responded: boolean): void;
  /** Remembers that the user has reached the gate, before or after its bell. Later journeys do not wait there. */
  passGate(gate: Gate, isLate: boolean): void;
  /** Ends the journey without its remaining steps. */
  breakOff(): void;
  /** Called when the user leaves for good. `isInFlight`: whether a request is in flight. */
  leave(isInFlight: boolean): void;
  /** Returns whether the user has had a successful response of the step since the user started anew. */
  hasReached(step: number): boolean;
  /** Returns a walk of only this step, which shares the memory of the user. */
  beside(step: number): Walk;
}

/** Sends the same requests in every journey, whatever the responses. */
export class PlainWalk implements Walk {
  readonly pause = null;
  readonly gate = null;
  readonly hasEndedStep = true;
  readonly reloads = 0;
  readonly wasStepOk = false;
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

  get requestIndex(): number {
    return this.steps[this.journey.step]?.requestIndex ?? 0;
  }

  get failedSlot(): number | null {
    const { failedStep } = this.journey;
    return failedStep === null ? null : (this.steps[failedStep]?.requestIndex ?? 0);
  }

  begin(_visit: Visit, requests: number): boolean {
    this.journey.begin(requests);
    return true;
  }

  next(): DrivenStep {
    const step = this.steps[this.journey.step];
    if (step === undefined) throw missingPartError('step', this.journey.step);
    return step;
  }

  settle(responded: boolean): void {
    this.journey.settle(responded);
  }

  passGate(): void {}

  leave(): void {}

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

/** Position of one connection in its journey. */
export class StepCursor {
  /** Index of the next step, or of the step in flight. */
  step = 0;
  private requests = 0;
  /** Index of the first step of the journey that had no response; null if there is none. */
  failedStep: number | null = null;

  get isOver(): boolean {
    return this.step === this.requests;
  }

  begin(requests: number): void {
    this.requests = requests;
    this.step = 0;
    this.failedStep = null;
  }

  /** Called when the step has ended. `responded`: whether it has a complete response, of any status. */
  settle(responded: boolean): void {
    if (!responded) this.failedStep ??= this.step;
    this.step += 1;
  }

  /** Ends the journey without its remaining steps. */
  breakOff(): void {
    this.failedStep ??= this.step;
    this.step = this.requests;
  }

  /** Whether the journey is finished: every step had a complete response. */
  get isFinished(): boolean {
    return this.isOver && this.failedStep === null;
  }
}
