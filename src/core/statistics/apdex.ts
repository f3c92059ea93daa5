import { countAbove, type Histogram } from './histogram.ts';

/**
 * Apdex_T = (satisfied + tolerating / 2) / all requests (Apdex specification 1.1). Satisfied: at most T. Tolerating: at most 4 T. Failed requests count as
 * frustrated. Returns null without requests.
 */
export function apdexOf(good: Histogram | undefined, failed: number, thresholdMs: number): number | null {
  const timed = good?.totalCount ?? 0;
  const all = timed + failed;
  if (all === 0) return null;
  const slow = good === undefined ? 0 : countAbove(good, thresholdMs * 1_000) + countAbove(good, 4 * thresholdMs * 1_000);
  return 1 - (slow + 2 * failed) / (2 * all);
}

/** Returns the rating that the Apdex specification gives a value. */
export function apdexWord(apdex: number): string {
  if (apdex < 0.5) return 'Unacceptable';
  if (apdex < 0.7) return 'Poor';
  if (apdex < 0.85) return 'Fair';
  return apdex < 0.94 ? 'Good' : 'Excellent';
}
