import { studentQuantile } from '#core/statistics/beta.ts';
import { meanOf } from '#core/statistics/trend.ts';

/** What is needed of a second of a run. */
interface Second {
  readonly p90: number | null;
}

/** Into so many parts the time of both runs is cut, each of a second at least. */
const PARTS = 10;
/** As in comparisons of many runs: chance alone may make a difference look real this often. */
const LEVEL = 0.01;

/**
 * The smallest change of the response time that one run can show beside another, as a part of it; null where they are too short. Both are
 * cut into parts, and how far the differences of parts at the same time scatter says how surely their mean is known (Student's t of pairs).
 * What differs from one run to the next comes on top: smaller changes are never shown, and larger ones not always.
 */
export function smallestChange(first: readonly Second[], second: readonly Second[]): number | null {
  const pairs = first.flatMap(({ p90: one }, index) => {
    const other = second[index]?.p90 ?? null;
    return one === null || other === null || one <= 0 || other <= 0 ? [] : [Math.log(other / one)];
  });
  if (pairs.length < PARTS) return null;
  const means = Array.from({ length: PARTS }, (_, part) =>
    meanOf(pairs.slice(Math.floor((part * pairs.length) / PARTS), Math.floor(((part + 1) * pairs.length) / PARTS))),
  );
  const mean = meanOf(means);
  const variance = means.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (PARTS - 1);
  return Math.exp(studentQuantile(PARTS - 1, LEVEL) * Math.sqrt(variance / PARTS)) - 1;
}
