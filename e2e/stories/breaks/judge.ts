import type { BreakKind } from '#lab/breaks.ts';

/** The parts of a result by which a cell is judged. */
export interface JudgedResult {
  readonly outcome: string;
  readonly headline: string;
  readonly sentence: string;
  readonly finding: string | null;
  readonly storage: string | null;
  readonly notJudged: readonly string[];
  /** Number of seconds in which this machine was overloaded. */
  readonly overloadedSeconds: number;
}

export interface CellJudgement {
  /** What is wrong with the result, or null. */
  readonly wrong: string | null;
  /** Whether the headline or the first finding names the step. */
  readonly isNamed: boolean;
}

interface JudgeOptions {
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
export function judgeCell(
  result: JudgedResult,
  kind: BreakKind,
  names: readonly string[],
  { isConfirmed, criteria }: JudgeOptions,
): CellJudgement {
  const texts = [result.headline, result.sentence, result.finding ?? ''];
  const isNamed = names.some((name) => texts.some((text) => text.includes(name)));
  const isUnverified = kind === 'swallow' && !isConfirmed && result.outcome === 'passed' && UNVERIFIED_STORAGE.test(result.headline);
  const isFirstFinding = criteria === 0 && result.outcome === 'measured' && names.some((name) => result.finding?.includes(name));
  if (result.outcome === 'failed' || isUnverified || isFirstFinding) return { wrong: null, isNamed };
  return { wrong: result.outcome === 'passed' ? 'passed' : result.outcome, isNamed };
}

/** Returns what is wrong with a result without a break, or null. The run must pass, or be measured if its plan has no criteria. */
export function judgeUntouched({ outcome }: JudgedResult, criteria: number): string | null {
  return outcome === 'passed' || (criteria === 0 && outcome === 'measured') ? null : outcome;
}
