import type { BreakKind } from '#lab/breaks.ts';

/** The parts of a result that judge a cell. */
export interface Stated {
  readonly outcome: string;
  readonly headline: string;
  readonly sentence: string;
  readonly finding: string | null;
  readonly storage: string | null;
  readonly notJudged: readonly string[];
  /** Seconds in which this machine was overloaded. */
  readonly overloadedSeconds: number;
}

export interface Judged {
  /** What is wrong with it, or null. */
  readonly wrong: string | null;
  /** Whether the sentence or the first finding names the step. */
  readonly isNamed: boolean;
}

interface Judging {
  /** Whether the plan compares accepted items with stored ones. */
  readonly isConfirmed: boolean;
  /** Number of criteria in the plan. */
  readonly criteria: number;
}

const UNVERIFIED_STORAGE = /storage of .* not verified/i;

/**
 * Judges whether a result shows the break: it failed, or, if nothing could show it, its headline says that storage is not verified. In a
 * plan without criteria, the first finding must show it.
 */
export function judgeCell(stated: Stated, kind: BreakKind, names: readonly string[], { isConfirmed, criteria }: Judging): Judged {
  const texts = [stated.headline, stated.sentence, stated.finding ?? ''];
  const isNamed = names.some((name) => texts.some((text) => text.includes(name)));
  const isUnverified = kind === 'swallow' && !isConfirmed && stated.outcome === 'passed' && UNVERIFIED_STORAGE.test(stated.headline);
  const isFirstFinding = criteria === 0 && stated.outcome === 'measured' && names.some((name) => stated.finding?.includes(name));
  if (stated.outcome === 'failed' || isUnverified || isFirstFinding) return { wrong: null, isNamed };
  return { wrong: stated.outcome === 'passed' ? 'passed' : stated.outcome, isNamed };
}

/** Without a break the server passes; a plan without criteria is measured. */
export function judgeUntouched({ outcome }: Stated, criteria: number): string | null {
  return outcome === 'passed' || (criteria === 0 && outcome === 'measured') ? null : outcome;
}
