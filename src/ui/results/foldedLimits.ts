import type { ObjectiveResult } from '#core/report/result.ts';

/** More limits that were kept than this are folded: what a reader looks for is what was not. */
export const MOST_KEPT_OPEN = 8;

interface FoldedLimits {
  /** What broke, then what is not known; what was kept too, in the order of the plan, where it is little. */
  readonly open: readonly ObjectiveResult[];
  /** Kept, and too many to stand open. */
  readonly folded: readonly ObjectiveResult[];
  readonly counts: Readonly<Record<ObjectiveResult['outcome'], number>>;
}

/** Which limits of a run stand open, and which behind a fold. */
export function foldedLimits(objectives: readonly ObjectiveResult[]): FoldedLimits {
  const of = (outcome: ObjectiveResult['outcome']): ObjectiveResult[] => objectives.filter((one) => one.outcome === outcome);
  const [breaks, unknown, kept] = [of('breaks'), of('unknown'), of('holds')];
  const counts = { breaks: breaks.length, unknown: unknown.length, holds: kept.length };
  if (kept.length <= MOST_KEPT_OPEN) return { open: objectives, folded: [], counts };
  return { open: [...breaks, ...unknown], folded: kept, counts };
}
