import type { BreakKind } from '#lab/breaks.ts';

/** The parts of a result by which a cell is judged. */
export interface Stated {
  readonly outcome: string;
  readonly headline: string;
  readonly sentence: string;
  readonly finding: string | null;
  readonly storage: string | null;
  readonly notJudged: readonly string[];
  /** Number of seconds in which this machine was overloaded. */
  readonly overloadedSeconds: number;
}

export interface Judged {
  /** What is wrong with the result, or null. */
  readonly wrong: string | null;
  /** Whether the headline or the first finding names the step. */
  readonly isNamed: boolean;
}

interface Judging {
  /** Whether the plan compares acknowledged items with stored ones. */
  readonly isConfirmed: boolean;
  /** Number of criteria in the plan. */
  readonly criteria: number;
}

const UNVERIFIED_STORAGE = /storage of .* not verified/i;

/**
 * Returns what is wrong if a result does not show the break. The run must have failed. If nothing could show the break, the headline must
 * say that storage is not verified. In a plan without criteria, the first finding must show the break.
 */
export function judgeCell(statedResult: Stated, kind: BreakKind, names: readonly string[], { isConfirmed, criteria }: Judging): Judged {
  const texts = [statedResult.headline, statedResult.sentence, statedResult.finding ?? ''];
  const isNamed = names.some((name) => texts.some((text) => text.includes(name)));
  const isUnverified =
    kind === 'swallow' && !isConfirmed && statedResult.outcome === 'passed' && UNVERIFIED_STORAGE.test(statedResult.headline);
  const isFirstFinding =
    criteria === 0 && statedResult.outcome === 'measured' && names.some((name) => statedResult.finding?.includes(name));
  if (statedResult.outcome === 'failed' || isUnverified || isFirstFinding) return { wrong: null, isNamed };
  return { wrong: statedResult.outcome === 'passed' ? 'passed' : statedResult.outcome, isNamed };
}

/** Returns what is wrong with a result without a break, or null. The run must pass, or be measured if its plan has no criteria. */
export function judgeUntouched({ outcome }: Stated, criteria: number): string | null {
  return outcome === 'passed' || (criteria === 0 && outcome === 'measured') ? null : outcome;
}
