import type { LoggedRequest } from '#lab/readLog.ts';

/** Speed-up compared with the report: times are divided by it, and rates are multiplied by it. */
export const SCALE = 10;

/** Returns a function that selects the lines about a page in nginx's log, by the page's path below its prefix. */
export function isForPage(page: string): (line: LoggedRequest) => boolean {
  return (line) => line.path === page;
}

/**
 * Returns how many requests a single worker completes in time if requests arrive evenly and the worker also processes those that have timed
 * out. Request i (from 0) ends at (i + 1)·S and arrived at i/λ, so it is in time while i·(S − 1/λ) ≤ T − S. This holds for λ·S > 1. @param
 * serviceSeconds S @param perSecond λ; Infinity if all arrive at once @param limitSeconds T, the time-out of the proxy
 */
export function predictInTime(serviceSeconds: number, perSecond: number, limitSeconds: number): number {
  return (limitSeconds - serviceSeconds) / (serviceSeconds - 1 / perSecond) + 1;
}

/** Returns whether a count that will be rounded down is far enough from the next integer to be predicted. */
export function isPredictable(count: number): boolean {
  const rest = count - Math.floor(count);
  return rest > 0.3 && rest < 0.75;
}
