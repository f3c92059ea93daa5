import { medianOf } from './trend.ts';

/** A shift of the second value of pairs against the first, with its interval. */
export interface PairedShift {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Maximum number of differences. Neighbouring ones are joined beyond it, because the averages of all pairs take O(n²) time. */
const MAX_DIFFERENCES = 200;

/**
 * Estimates the shift of paired values from their differences by the inverted signed-rank test of Wilcoxon (1945). `value` is the median of the averages of
 * all pairs of differences (Hodges and Lehmann 1963). The interval contains every shift that the exact two-sided test does not reject at `level` (Tukey, in
 * Hollander, Wolfe and Chicken 2014, 3.3). Returns null if there are too few differences for the level: 8 at 1 %.
 *
 * Where a coin decides which value of a pair comes first, the sign of each difference is as random as the coin if both sides are alike. The level then holds
 * for noise of any kind, also for noise that lasts from pair to pair (Fisher 1935, randomization test).
 */
export function pairedShift(differences: readonly number[], level: number): PairedShift | null {
  const joined = joinNeighbours(differences);
  const n = joined.length;
  const rank = criticalRank(n, level);
  if (rank === 0) return null;
  const averages: number[] = [];
  for (const [index, one] of joined.entries())
    for (let other = index; other < n; other += 1) averages.push((one + (joined[other] ?? 0)) / 2);
  averages.sort((a, b) => a - b);
  return { value: medianOf(averages), low: averages[rank - 1] ?? 0, high: averages[averages.length - rank] ?? 0 };
}

/** Returns the medians of groups of neighbours of equal size. Like each difference, they have a random sign if both sides are alike. */
function joinNeighbours(differences: readonly number[]): readonly number[] {
  const size = Math.ceil(differences.length / MAX_DIFFERENCES);
  if (size <= 1) return differences;
  return Array.from({ length: Math.floor(differences.length / size) }, (_, group) =>
    medianOf(differences.slice(group * size, (group + 1) * size).toSorted((a, b) => a - b)),
  );
}

/** Returns the largest k for which a sum of positive ranks below k has a probability of at most `level` / 2; 0 if there is none. */
function criticalRank(n: number, level: number): number {
  const sums = new Float64Array((n * (n + 1)) / 2 + 1);
  sums[0] = 1;
  // Each rank is positive with a probability of one half.
  for (let rank = 1; rank <= n; rank += 1)
    for (let sum = (rank * (rank + 1)) / 2; sum >= 0; sum -= 1)
      sums[sum] = ((sums[sum] ?? 0) + (sum >= rank ? (sums[sum - rank] ?? 0) : 0)) / 2;
  let below = 0;
  let critical = 0;
  while (critical < sums.length && below + (sums[critical] ?? 0) <= level / 2) {
    below += sums[critical] ?? 0;
    critical += 1;
  }
  return critical;
}
