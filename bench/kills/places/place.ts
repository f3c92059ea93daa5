import type { Trial } from '../trial.ts';

/** The result of one trial. */
export interface KillResult {
  /** What was done to Holdfast, as the report names it, such as “agent killed”. */
  readonly where: string;
  /** Time in ms after which no process of the killed program may be left. */
  readonly graceMs: number;
  /**
   * When the process that stores data was killed, on the monotonic clock. By design, what a load does after that, in its grace period, is
   * not stored.
   */
  readonly diedMs?: number;
  /** Promises that were broken during the trial. */
  readonly problems: readonly string[];
}

/** One way in which Holdfast is disturbed. */
export interface CrashPoint {
  readonly name: string;
  /** Number of trials relative to those of the other crash points. */
  readonly weight: number;
  /** Returns the reason why this machine cannot disturb Holdfast in this way, or null. */
  missing(): string | null;
  /** Disturbs Holdfast in one trial. Files that remain stay in the trial's folder. */
  strike(trial: Trial): Promise<KillResult>;
}

export const lacksNothing = (): null => null;
