import { inverseIncompleteBeta } from './beta.ts';
import { CONFIDENCE } from './enough.ts';

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/**
 * Exact one-sided bounds of a share of which `over` of `counted` were seen (Clopper & Pearson 1934): each is on the wrong side
 * of the true share with a probability of at most 1 − confidence. Neither number needs to be whole, because both may have been
 * deflated. With nothing counted the share can be anything.
 */
export function shareBounds(over: number, counted: number, confidence: number = CONFIDENCE): Bounds {
  if (counted <= 0) return { low: 0, high: 1 };
  const miss = 1 - confidence;
  return {
    low: over <= 0 ? 0 : inverseIncompleteBeta(over, counted - over + 1, miss),
    high: over >= counted ? 1 : inverseIncompleteBeta(over + 1, counted - over, confidence),
  };
}

export interface BlockCount {
  readonly counted: number;
  readonly over: number;
}

/**
 * How much less a clumped sample says than an independent one of the same size: the variance of the share between blocks,
 * as a ratio estimate (Cochran, Sampling Techniques, 2.11 and 9.3), by the variance of independent draws; never below 1.
 * It cannot be told from fewer than two blocks, nor when none or all are over: then 1.
 */
export function designEffect(blocks: readonly BlockCount[]): number {
  const used = blocks.filter(({ counted }) => counted > 0);
  const counted = used.reduce((sum, block) => sum + block.counted, 0);
  const over = used.reduce((sum, block) => sum + block.over, 0);
  if (used.length < 2 || over <= 0 || over >= counted) return 1;
  const share = over / counted;
  const squares = used.reduce((sum, block) => sum + (block.over - share * block.counted) ** 2, 0);
  const between = ((used.length / (used.length - 1)) * squares) / counted ** 2;
  return Math.max(1, between / ((share * (1 - share)) / counted));
}
