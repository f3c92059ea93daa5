import type { Issue } from '#core/plan/issues.ts';
import type { LoadStretch } from '#core/work/load/profile.ts';

/** A plan in sentences and numbers. null: unknown before the run. */
export interface Description {
  readonly sentences: readonly string[];
  /** Sentences about single steps, for details. */
  readonly aboutSteps: readonly string[];
  /** Sentences about the load, by stage. */
  readonly aboutLoad: readonly string[];
  readonly durationSeconds: number | null;
  readonly requests: number | null;
  /** Requests per second of an open model; null for a closed model. */
  readonly arrivalsPerSecond: number | null;
  readonly criteria: readonly string[];
  readonly profile: readonly LoadStretch[];
  readonly warnings: readonly Issue[];
}

/** Text of a null figure. */
export const NOT_KNOWN_BEFORE = 'unknown before the run';
