import type { Trial } from '../trial.ts';

/** The result of one trial. */
export interface KillResult {
  /** Name of the result in the report. */
  readonly where: string;
  /** Time in ms after which no process of the killed program may be left. */
  readonly graceMs: number;
  /**
   * When the process that stores was killed, on the monotonic clock. What a load does after that, in its grace period, is not stored by
   * design.
   */
  readonly diedMs?: number;
  /** Broken promises during the trial. */
  readonly problems: readonly string[];
}

/** A place where Holdfast is disturbed, and how. */
export interface CrashPoint {
  readonly name: string;
  /** Weight of the place among all trials. */
  readonly weight: number;
  /** Returns the reason why the place is impossible on this machine, or null. */
  missing(): string | null;
  /** Disturbs Holdfast in one trial. What is left stays in the folder of the trial. */
  strike(trial: Trial): Promise<KillResult>;
  /** Ends what the trials share. */
  close?(): Promise<void>;
}

export const lacksNothing = (): null => null;
