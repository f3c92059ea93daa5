import type { LatencySummary } from '#core/statistics/latencySummary.ts';
import type { TimeMs } from '#core/base/units.ts';
import { formatMs, formatShare, NOT_KNOWN } from '#core/base/units.ts';
import { words } from '../words/words.ts';

/** The figures of a latency summary that are percentiles, as shares of 100; `max` is all of them. */
export const PERCENTILES: readonly (readonly [key: keyof LatencySummary, percent: number])[] = [
  ['p50', 50],
  ['p66', 66],
  ['p75', 75],
  ['p80', 80],
  ['p90', 90],
  ['p95', 95],
  ['p98', 98],
  ['p99', 99],
  ['p99_9', 99.9],
  ['max', 100],
];

/** A percentile in words: an unbounded one says how many got no good answer instead of a number that does not exist. */
export function percentileWords(time: TimeMs, percent: number): string {
  if (time !== 'never') return time === null ? NOT_KNOWN : formatMs(time);
  return percent >= 100 ? words.results.never.some : words.results.never.share(formatShare(Math.round(1e6 - percent * 1e4) / 1e6));
}

/** A mean or deviation in words; it is endless when anything in it is. */
export function figureWords(time: TimeMs): string {
  return time === 'never' ? words.results.never.typical : formatMs(time);
}
