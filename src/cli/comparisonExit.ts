import { gateOf } from '#core/comparison/baseline.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import { EXIT, type ExitCode } from './exitCodes.ts';

/** The exit code of a comparison; `tolerance` is a part of each figure. */
export function exitCodeOfComparison(comparison: Pick<Comparison, 'pairs'>, tolerance: number): ExitCode {
  const gate = gateOf(comparison, tolerance);
  switch (gate) {
    case 'worse':
      return EXIT.worse;
    case 'notWorse':
      return EXIT.fine;
    case 'notKnown':
      return EXIT.inconclusive;
    default:
      return gate satisfies never;
  }
}
