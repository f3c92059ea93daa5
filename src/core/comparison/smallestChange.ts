import { studentQuantile } from '#core/statistics/bounds.ts';
import { meanOf } from '#core/statistics/trend.ts';

/** The fields of a second that {@link detectableChange} reads. */
interface Second {
  readonly p90: number | null;
}

/** Number of parts into which both runs are divided, of at least one second each. */
const PART_COUNT = 10;
/** Significance level, as in comparisons of many runs. */
const SIGNIFICANCE_LEVEL = 0.01;

/**
 * Returns the smallest relative change of the response time that one run can show against another; null if they are too short. Both are
 * divided into parts. The variance of the differences between simultaneous parts gives the precision of their mean (paired Student's t).
 * Variation between runs is not included, so larger changes may still be missed.
 */
export function detectableChange(first: readonly Second[], second: readonly Second[]): number | null {
  const pairs = first.flatMap(({ p90: one }, index) => {
    const other = second[index]?.p90 ?? null;
    return one === null || other === null || one <= 0 || other <= 0 ? [] : [Math.log(other / one)];
  });
  if (pairs.length < PART_COUNT) return null;
  const means = Array.from({ length: PART_COUNT }, (_, part) =>
    meanOf(pairs.slice(Math.floor((part * pairs.length) / PART_COUNT), Math.floor(((part + 1) * pairs.length) / PART_COUNT))),
  );
  const mean = meanOf(means);
  const variance = means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (PART_COUNT - 1);
  return Math.exp(studentQuantile(PART_COUNT - 1, SIGNIFICANCE_LEVEL) * Math.sqrt(variance / PART_COUNT)) - 1;
}
