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
