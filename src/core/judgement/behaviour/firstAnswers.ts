import { bucketOf, highestUsOf } from '#core/statistics/buckets.ts';
import { type Histogram, newTotalHistogram, percentileRank, record, valueAtRank, without } from '#core/statistics/histogram.ts';
import { medianOf } from '#core/statistics/trend.ts';
import type { EarlyAnswer } from '#core/measurement/window.ts';
import { formatCount } from '#core/base/units.ts';
import type { FirstAnswers } from '#core/result/behaviour.ts';

/** Number of first responses that are compared. */
export const FIRST_RESPONSE_COUNT = 10;
const MIN_OTHER_RESPONSES = 30;
/** Fewest first responses above the 90th percentile. By chance five or more of 10 are so with probability 0.0016 (binomial distribution, p = 0.1). */
const MIN_SLOWER = 5;
/** Smallest difference. Opening the first connections takes some milliseconds on both sides. */
const MIN_DIFFERENCE_US = 20_000;
/** Smallest difference as a share of the usual time. */
const MIN_DIFFERENCE_SHARE = 0.2;

/**
 * Compares the first successful responses of a step with the rest. Refusals are quick for another reason. `times`: response times of all successful
 * responses of the step, in µs.
 */
export function firstAnswers(step: string, early: readonly EarlyAnswer[], times: Histogram | undefined): FirstAnswers {
  const good = early.filter(({ ok }) => ok);
  const first = good.slice(0, FIRST_RESPONSE_COUNT).map(({ responseUs }) => responseUs);
  const all = times?.totalCount ?? 0;
  const known = { step, first: first.map(inMs) };
  if (times === undefined || first.length < FIRST_RESPONSE_COUNT || all < FIRST_RESPONSE_COUNT + MIN_OTHER_RESPONSES) {
    const reason = `With ${formatCount(all)} successful responses, the first ${FIRST_RESPONSE_COUNT} cannot be compared with the rest: at least ${FIRST_RESPONSE_COUNT + MIN_OTHER_RESPONSES} are needed.`;
    return { ...known, firstMedian: null, restMedian: null, restP90: null, slower: 0, isSlowAtFirst: null, reason };
  }
  const taken = newTotalHistogram();
  for (const time of first) record(taken, time);
  const rest = without(times, [taken]);
  const at = (percentile: number): number => valueAtRank(rest, percentileRank(percentile, rest.totalCount));
  const p90 = at(90);
  // Times in the same bucket count as equal.
  const slower = first.filter((time) => time > highestUsOf(bucketOf(p90))).length;
  const mean = first.reduce((sum, time) => sum + time, 0) / first.length;
  return {
    ...known,
    firstMedian: inMs(medianOf([...first].sort((a, b) => a - b))),
    restMedian: inMs(at(50)),
    restP90: inMs(p90),
    slower,
    isSlowAtFirst: slower >= MIN_SLOWER && mean - at(50) >= Math.max(MIN_DIFFERENCE_US, MIN_DIFFERENCE_SHARE * at(50)),
    reason: null,
  };
}

function inMs(us: number): number {
  return us / 1_000;
}
