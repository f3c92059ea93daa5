import { inverseIncompleteBeta } from './beta.ts';
import { CONFIDENCE } from './leastRequests.ts';

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
