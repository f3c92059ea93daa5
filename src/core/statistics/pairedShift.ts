import { studentQuantile } from './bounds.ts';
import { meanOf, medianOf } from './trend.ts';

/** A shift of the second value of pairs against the first, with its interval. */
export interface PairedShift {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Maximum number of differences. Neighbouring ones are joined beyond it, because the averages of all pairs take O(n²) time. */
const MAX_DIFFERENCES = 200;

/**
 * Estimates the shift of paired values from their differences by the inverted signed-rank test of Wilcoxon (1945). `value` is the median of
 * the averages of all pairs of differences (Hodges and Lehmann 1963). The interval contains every shift that the exact two-sided test does
 * not reject at `level` (Tukey, in Hollander, Wolfe and Chicken 2014, 3.3). Returns null if there are too few differences for the level; at
 * 1 %, it needs 8.
 *
 * Where a coin decides which value of a pair comes first, the sign of each difference is as random as the coin if both sides are alike. The
 * level then holds for any noise that both sides share, also for noise that lasts from pair to pair (Fisher 1935, randomization test).
 * Noise of one side alone makes neighbouring differences alike; the interval is widened for it by {@link varianceInflation}.
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
  const value = medianOf(averages);
  const widen = (bound = value): number => value + (bound - value) * Math.sqrt(varianceInflation(joined, level));
  return { value, low: widen(averages[rank - 1]), high: widen(averages[averages.length - rank]) };
}

/** Sizes of the blocks into which neighbours are joined. */
const BLOCK_SIZES = [2, 3, 5, 8, 12, 20];
/** Minimum number of blocks, because the variance of fewer says little. */
const MIN_BLOCKS = 5;
/** Degrees of freedom from which Student's t is the normal distribution in four digits. */
const NORMAL_FREEDOM = 10_000;
/** Chance alone makes smaller ratios. */
const MIN_VARIANCE_RATIO = 1.5;

/**
 * Returns the factor by which the variance of a mean of neighbours exceeds that of independent differences; 1 if it does not. For blocks of
 * g differences it is E = g · Var(block means) / Var(differences) (Schmeiser 1982), of ranks, which outliers cannot dominate. The largest E
 * of all block sizes counts. E is estimated from m blocks. Its part above 1 is therefore multiplied by the squared ratio of Student's t,
 * with m − 1 degrees of freedom, to the normal quantile (Korn and Graubard 1998).
 */
function varianceInflation(differences: readonly number[], level: number): number {
  const ranks = rankValues(differences);
  const variance = computeVariance(ranks);
  const ratios = BLOCK_SIZES.flatMap((size) => {
    const blocks = Math.floor(ranks.length / size);
    if (blocks < MIN_BLOCKS) return [];
    const means = Array.from({ length: blocks }, (_, block) => meanOf(ranks.slice(block * size, (block + 1) * size)));
    const ratio = (size * computeVariance(means)) / variance;
    const quantiles = studentQuantile(blocks - 1, level) / studentQuantile(NORMAL_FREEDOM, level);
    return ratio < MIN_VARIANCE_RATIO ? [] : [1 + (ratio - 1) * quantiles ** 2];
  });
  return Math.max(1, ...ratios);
}

function rankValues(values: readonly number[]): number[] {
  const ranks: number[] = [];
  for (const [rank, index] of [...values.keys()].toSorted((one, other) => (values[one] ?? 0) - (values[other] ?? 0)).entries())
    ranks[index] = rank;
  return ranks;
}

function computeVariance(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
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
