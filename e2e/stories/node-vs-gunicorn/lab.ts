import type { LoggedRequest } from '#lab/readLog.ts';

/** Everything is ten times as fast as in the report: times are divided by it, rates multiplied. */
export const SCALE = 10;

/** Lines of nginx about a page under one of its prefixes, as the clients saw it. */
export function ofPage(page: string): (line: LoggedRequest) => boolean {
  return (line) => line.path === page;
}

/**
 * Requests that a single worker answers in time, when they come evenly and it also serves those that were given up: the i-th (from 0) ends
 * at (i + 1)·S and came at i/λ, so it is in time while i·(S − 1/λ) ≤ T − S. For λ·S > 1.
 * @param serviceSeconds S
 * @param perSecond λ; Infinity when all come at once
 * @param limitSeconds T, the patience of the proxy
 */
export function answeredInTime(serviceSeconds: number, perSecond: number, limitSeconds: number): number {
  return (limitSeconds - serviceSeconds) / (serviceSeconds - 1 / perSecond) + 1;
}

/** Whether a count that is cut off to a whole one is far enough from the next to be told before. */
export function isClear(count: number): boolean {
  const rest = count - Math.floor(count);
  return rest > 0.3 && rest < 0.75;
}
