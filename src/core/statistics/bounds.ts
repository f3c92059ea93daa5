import { inverseIncompleteBeta } from './beta.ts';

/** One-sided confidence of all decisions. */
export const CONFIDENCE = 0.95;

/**
 * Returns the fewest requests with which a criterion on a share can pass. With no request over the limit, the exact upper bound of the share is 1 − (1 −
 * confidence)^(1/n), which must be within `allowance`. Examples: 59 for p95, 299 for p99, about 3/e for an error rate e. Infinite for an allowance of 0,
 * because no number of requests proves that none ever fails.
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
 * Returns the exact one-sided bounds of the share `over / counted` (Clopper & Pearson 1934). Each bound is wrong with a probability of at most 1 −
 * confidence. Both numbers may be fractions, because clumping deflates them. Returns 0 to 1 if nothing was counted.
 */
export function shareBounds(over: number, counted: number, confidence: number = CONFIDENCE): Bounds {
  if (counted <= 0) return { low: 0, high: 1 };
  const miss = 1 - confidence;
  return {
    low: over <= 0 ? 0 : inverseIncompleteBeta(over, counted - over + 1, miss),
    high: over >= counted ? 1 : inverseIncompleteBeta(over + 1, counted - over, confidence),
  };
}
