import type { Issue } from '#core/plan/issues.ts';
import type { LoadStretch } from '#core/work/load/profile.ts';

/** A plan in words and numbers. null: cannot be told before the run. */
export interface Description {
  readonly sentences: readonly string[];
  /** Those of the sentences that tell of the steps, one by one: depth for whoever asks. */
  readonly aboutSteps: readonly string[];
  /** Those that tell of the load, stage by stage. */
  readonly aboutLoad: readonly string[];
  readonly durationSeconds: number | null;
  readonly requests: number | null;
  /** Requests per second, where the plan says it (an open model); null for a closed one. */
  readonly arrivalsPerSecond: number | null;
  readonly objectives: readonly string[];
  readonly profile: readonly LoadStretch[];
  readonly warnings: readonly Issue[];
}

/** Of a figure that is null. */
export const NOT_KNOWN_BEFORE = 'unknown before the run';
