import { formatMs, formatShare } from '#core/base/units.ts';
import type { Rule } from '../rule.ts';

/** The slowest answer takes this many times the 99th percentile, and at least this long: nobody would call that the same crowd. */
const FAR_FACTOR = 10;
const FAR_MS = 500;

/**
 * Few answers, far away from all others: a retry, a lock or a time limit somewhere, not a server that is slow. Their share
 * follows from the standard deviation: f = (sd / (max − median))², which is exact when all of them lie at the maximum.
 */
export const slowTail: Rule = {
  id: 'slowTail',
  find({ latency }) {
    const { p50, p99, max, stddev, count } = latency.service;
    if (typeof p50 !== 'number' || typeof p99 !== 'number' || typeof max !== 'number' || typeof stddev !== 'number') return [];
    if (count < 1_000 || max < FAR_MS || max < FAR_FACTOR * p99) return [];
    const share = (stddev / (max - p50)) ** 2;
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `About ${formatShare(share)} answers took far longer than all others: up to ${formatMs(max)}, while 99 of 100 came within ${formatMs(p99)}.`,
        evidence: [`median ${formatMs(p50)}, standard deviation ${formatMs(stddev)}, slowest ${formatMs(max)}`],
        remedy:
          'Look for something that waits and tries again: a lost packet on a full queue (1, 3 or 5 s), a lock, a pool without a free connection, a time limit of a proxy.',
        confidence: 'likely',
        range: null,
      },
    ];
  },
};
