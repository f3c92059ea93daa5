import { isNotToldApart } from './conclusion.ts';
import type { Comparison, FigureDifference, Pair } from './schema.ts';

/** What a comparison means for whoever must go on or stop. */
export type Gate = 'worse' | 'notWorse' | 'notKnown';

/**
 * `worse`: a figure is worse by more than noise, and by more than `tolerance` (a part of the figure it had; failures have no tolerance).
 * `notKnown`: nothing can be said of a pair, because its runs are too few, or differ in too much, or so much among themselves that it may be quite different.
 */
export function gateOf({ pairs }: Pick<Comparison, 'pairs'>, tolerance: number): Gate {
  if (pairs.some(({ differences }) => differences.some((one) => isWorse(one, tolerance)))) return 'worse';
  const isTold = ({ conclusion, differences }: Pair): boolean =>
    conclusion === 'differs' || (conclusion === 'withinNoise' && !isNotToldApart(differences));
  return pairs.every(isTold) ? 'notWorse' : 'notKnown';
}

/** Whether a figure has become worse, surely and by more than is tolerated. */
export function isWorse({ judgement, direction, change, scale }: FigureDifference, tolerance: number): boolean {
  if (judgement !== 'differs' || direction !== 'worse' || change === null) return false;
  return scale === 'difference' || Math.abs(change) > tolerance;
}
