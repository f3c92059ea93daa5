import type { Outcome } from './outcome.ts';
import type { Mutation } from './scene.ts';

export interface Summary {
  readonly text: string;
  readonly failed: boolean;
  readonly counts: { readonly passed: number; readonly failed: number; readonly skipped: number };
}

/** Counts the outcomes. With a mutation, a story passes if it fails. With `strict`, a skipped story counts as a failure. */
export function getSummary(outcomes: readonly Outcome[], mutation: Mutation | null, strict: boolean): Summary {
  const count = (test: (outcome: Outcome) => boolean): number => outcomes.filter(test).length;
  const passed = count(({ ending }) => ending.kind === 'reported' && ending.passed === (mutation === null));
  const skipped = count(({ ending }) => ending.kind === 'skipped');
  const failed = outcomes.length - passed - skipped;
  const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0);
  const word = mutation === null ? 'passed' : 'noticed';
  return {
    text: `${passed} ${word}, ${failed} failed, ${skipped} skipped, in ${seconds.toFixed(0)} s`,
    failed: failed > 0 || (strict && skipped > 0),
    counts: { passed, failed, skipped },
  };
}
