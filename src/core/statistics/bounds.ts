import { inverseIncompleteBeta } from './beta.ts';

/** Everything here is decided with this one-sided confidence. */
export const CONFIDENCE = 0.95;

/**
 * The least number of requests with which a limit on a share can hold: with none over it, the exact upper bound of the share
 * is 1 − (1 − confidence)^(1/n), which must be within `allowance`. 59 for p95, 299 for p99, about 3/e for an error limit e.
 * Infinite for an allowance of 0: no number of requests can prove that none ever fails.
 */
export function leastRequests(allowance: number): number {
  if (allowance <= 0) return Number.POSITIVE_INFINITY;
  if (allowance >= 1) return 1;
  return Math.ceil(Math.log(1 - CONFIDENCE) / Math.log1p(-allowance) - 1e-9);
}

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
