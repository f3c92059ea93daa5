import type { Trial } from '../trial.ts';

/** What was done to somebody in one trial. */
export interface Blow {
  /** As the report names it. */
  readonly where: string;
  /** How long what the dead have started may take to end, in milliseconds. */
  readonly graceMs: number;
  /** When whoever stores the run was killed, by the monotonic clock: what a load still did that outlived it for its time of grace is not stored by design. */
  readonly diedMs?: number;
  /** What was not as promised already while it went. */
  readonly problems: readonly string[];
}

/** Something that can happen to Holdfast. */
export interface Place {
  readonly name: string;
  /** Its share of all trials. */
  readonly weight: number;
  /** What keeps it from being tried here; null when nothing does. */
  missing(): string | null;
  /** Brings it about. The folder of the trial holds what is left. */
  strike(trial: Trial): Promise<Blow>;
  /** Ends what all trials share. */
  close?(): Promise<void>;
}

export const nothingMissing = (): null => null;
