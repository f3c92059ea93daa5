import type { ObjectiveResult } from '#core/result/schema.ts';

/** More limits of one outcome than this are folded: what a reader looks for first is what broke. */
export const MOST_OPEN = 8;

interface FoldedLimits {
  /** What broke, all of it, then the first that are not known, then what was kept where it is little; in the order of the plan where nothing is folded. */
  readonly open: readonly ObjectiveResult[];
  /** Not known, and more than those that stand open. */
  readonly unknown: readonly ObjectiveResult[];
  /** Kept, and too many to stand open. */
  readonly kept: readonly ObjectiveResult[];
  readonly counts: Readonly<Record<ObjectiveResult['outcome'], number>>;
}

/** Which limits of a run stand open, and which behind a fold. */
export function foldedLimits(objectives: readonly ObjectiveResult[]): FoldedLimits {
  const of = (outcome: ObjectiveResult['outcome']): ObjectiveResult[] => objectives.filter((one) => one.outcome === outcome);
  const [breaks, unknown, holds] = [of('breaks'), of('unknown'), of('holds')];
  const counts = { breaks: breaks.length, unknown: unknown.length, holds: holds.length };
  if (holds.length <= MOST_OPEN && unknown.length <= MOST_OPEN) return { open: objectives, unknown: [], kept: [], counts };
  const isKeptOpen = holds.length <= MOST_OPEN;
  return {
    open: [...breaks, ...unknown.slice(0, MOST_OPEN), ...(isKeptOpen ? holds : [])],
    unknown: unknown.slice(MOST_OPEN),
    kept: isKeptOpen ? [] : holds,
    counts,
  };
}
