import { bucketOf, highestUsOf } from '#core/statistics/buckets.ts';
import { type Histogram, newTotalHistogram, percentileRank, record, valueAtRank, without } from '#core/statistics/histogram.ts';
import { medianOf } from '#core/statistics/trend.ts';
import type { EarlyAnswer } from '#core/measurement/window.ts';
import { formatCount } from '#core/base/units.ts';
import type { FirstAnswers } from '#core/result/behaviour.ts';

/** So many answers are "the first". */
export const FIRST = 10;
const LEAST_REST = 30;
/**
 * Of 10 answers like all others, each is among the slowest tenth with a probability of 0.1; five or more of them are so with one of 0.0016
 * (binomial distribution).
 */
const MANY_SLOWER = 5;
/** Opening the first connections takes some milliseconds, in the server and in the generator: less than this tells nothing. */
const LEAST_DIFFERENCE_US = 20_000;
/** Nor does a smaller share of the usual time. */
const LEAST_SHARE = 0.2;

/** The first good answers of a step beside the others: a refusal is quick for another reason. `times`: the response times of all good answers of the step, in µs. */
export function firstAnswers(step: string, early: readonly EarlyAnswer[], times: Histogram | undefined): FirstAnswers {
  const good = early.filter(({ ok }) => ok);
  const first = good.slice(0, FIRST).map(({ responseUs }) => responseUs);
  const all = times?.totalCount ?? 0;
  const known = { step, first: first.map(inMs) };
  if (times === undefined || first.length < FIRST || all < FIRST + LEAST_REST) {
    const reason = `With ${formatCount(all)} successful responses, the first ${FIRST} cannot be compared with the rest: at least ${FIRST + LEAST_REST} are needed.`;
    return { ...known, firstMedian: null, restMedian: null, restP90: null, slower: 0, isSlowAtFirst: null, reason };
  }
  const taken = newTotalHistogram();
  for (const time of first) record(taken, time);
  const rest = without(times, [taken]);
  const at = (percentile: number): number => valueAtRank(rest, percentileRank(percentile, rest.totalCount));
  const p90 = at(90);
  // Times of one bucket are the same time.
  const slower = first.filter((time) => time > highestUsOf(bucketOf(p90))).length;
  const mean = first.reduce((sum, time) => sum + time, 0) / first.length;
  return {
    ...known,
    firstMedian: inMs(medianOf([...first].sort((a, b) => a - b))),
    restMedian: inMs(at(50)),
    restP90: inMs(p90),
    slower,
    isSlowAtFirst: slower >= MANY_SLOWER && mean - at(50) >= Math.max(LEAST_DIFFERENCE_US, LEAST_SHARE * at(50)),
    reason: null,
  };
}

function inMs(us: number): number {
  return us / 1_000;
}
