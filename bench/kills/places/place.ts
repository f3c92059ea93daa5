import type { Trial } from '../trial.ts';

/** What was done in one trial. */
export interface KillResult {
  /** Name in the report. */
  readonly where: string;
  /** Maximum time in ms in which processes of the killed program must end. */
  readonly graceMs: number;
  /**
   * When the storing process was killed, on the monotonic clock. What a load does afterwards in its grace period is not stored by design.
   */
  readonly diedMs?: number;
  /** Broken promises during the trial. */
  readonly problems: readonly string[];
}

/** A way to disturb Holdfast. */
export interface CrashPoint {
  readonly name: string;
  /** Its share of all trials. */
  readonly weight: number;
  /** Returns why it is impossible here, or null. */
  missing(): string | null;
  /** Disturbs Holdfast. The folder of the trial keeps what is left. */
  strike(trial: Trial): Promise<KillResult>;
  /** Ends what all trials share. */
  close?(): Promise<void>;
}

export const lacksNothing = (): null => null;
