import type { BreakKind } from '#lab/breaks.ts';

/** What a result says, as far as cells are judged by it. */
export interface Said {
  readonly outcome: string;
  readonly headline: string;
  readonly sentence: string;
  readonly finding: string | null;
  readonly storage: string | null;
  readonly notJudged: readonly string[];
  /** Seconds in which this machine was too busy. */
  readonly sickSeconds: number;
}

export interface Judged {
  /** What is wrong with it; null when nothing is. */
  readonly wrong: string | null;
  /** Whether the sentence or the first finding names the step. */
  readonly isNamed: boolean;
}

interface Judging {
  /** Whether the plan has something that compares what was accepted with what is there. */
  readonly isConfirmed: boolean;
  /** How many the plan has. */
  readonly criteria: number;
}

const NOT_VERIFIED = /storage of .* not verified/i;

/**
 * Whether a result shows what was broken: it has failed, or, where nothing could show it, its headline says that storage is not verified.
 * A plan without criteria measures: what was broken is then its first finding.
 */
export function judgeCell(said: Said, kind: BreakKind, names: readonly string[], { isConfirmed, criteria }: Judging): Judged {
  const texts = [said.headline, said.sentence, said.finding ?? ''];
  const isNamed = names.some((name) => texts.some((text) => text.includes(name)));
  const isUnverified = kind === 'swallow' && !isConfirmed && said.outcome === 'holds' && NOT_VERIFIED.test(said.headline);
  const isFirstFinding = criteria === 0 && said.outcome === 'measured' && names.some((name) => said.finding?.includes(name));
  if (said.outcome === 'breaks' || isUnverified || isFirstFinding) return { wrong: null, isNamed };
  return { wrong: said.outcome === 'holds' ? 'passed' : said.outcome, isNamed };
}

/** The untouched server passes; a plan without criteria measures. */
export function judgeUntouched({ outcome }: Said, criteria: number): string | null {
  return outcome === 'holds' || (criteria === 0 && outcome === 'measured') ? null : outcome;
}
