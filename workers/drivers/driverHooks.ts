import type { Clock } from '../clock.ts';
import type { Sampler } from '../sampling/sampler.ts';
import type { StageRecorder } from '../recorder.ts';

/** What drivers need of the thread that they run on. */
export interface DriverHooks {
  readonly now: Clock;
  /** Where the requests of these stages are recorded, in their order. */
  open(stages: readonly number[]): readonly StageRecorder[];
  /** Keeps requests for people to look at; null when nobody will. */
  readonly sampler: Sampler | null;
  onBudgetSpent(): void;
  onServer(software: string | null, atUs: number): void;
}
