import { studentQuantile } from '#core/statistics/bounds.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';

/** Minimum number of runs on each side of a change. */
export const MIN_SEGMENT_RUNS = 4;
/** Number of permutations; the smallest possible p-value is 1 ÷ (PERMUTATIONS + 1). */
const PERMUTATIONS = 999;
const SEED = 20_261;
/** Minimum deviation, as a share. Smaller differences are rounding, even between runs that are exactly equal. */
const MIN_DEVIATION = 1e-3;
/** Share of intervals that miss the true change. */
const OUTSIDE_INTERVAL = 0.05;

/** A change of the level of a history. */
export interface ChangePoint {
  /** Index of the first run after the change. */
  readonly index: number;
  /**
   * Geometric mean of the runs after the change divided by that of the runs before it, each up to the neighbouring change; with its 95 %
   * interval.
   */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Finds the runs at which the level of a history changed. `values` are positive figures of runs in order of time; they are compared as
 * logarithms.
 *
 * The statistic of a split after k of n runs is Student's t of the means before and after:
 *
 * ```
 * t(k) = |m₁ − m₂| ÷ √( s² · (1/k + 1/(n − k)) )
 * s² = (SS₁ + SS₂) ÷ (n − 2)
 * ```
 *
 * The best split maximizes t. Its p-value is the share of random orders of the same runs with a maximum at least as high, so nothing is
 * assumed about their distribution: a single outlier, two modes or a weekly pattern occur in the random orders, too. A split with p ≤
 * `significance` is a change, and both parts are searched for further changes. Sources: Matteson and James 2014 (E-divisive: splits by
 * permutation), arXiv 2301.03034 (Hunter: Student's t instead of the energy statistic).
 */
export function findChangePoints(values: readonly number[], significance: number): ChangePoint[] {
  const logs = values.map((value) => Math.log(value));
  const splits = findSplits(logs, 0, logs.length, significance).toSorted((one, other) => one - other);
  return splits.map((index, place) => {
    const before = logs.slice(splits[place - 1] ?? 0, index);
    const after = logs.slice(index, splits[place + 1] ?? logs.length);
    return { index, ...compareLevels(before, after) };
  });
}

function findSplits(logs: readonly number[], from: number, to: number, significance: number): number[] {
  const part = Float64Array.from(logs.slice(from, to));
  const best = findBestSplit(part);
  if (best === null) return [];
  let asHigh = 1;
  let drawn = 0;
  for (let round = 0; round < PERMUTATIONS; round += 1) {
    drawn = shuffle(part, drawn);
    if ((findBestSplit(part)?.statistic ?? 0) >= best.statistic) asHigh += 1;
    if (asHigh > significance * (PERMUTATIONS + 1)) return [];
  }
  const split = from + best.index;
  return [split, ...findSplits(logs, from, split, significance), ...findSplits(logs, split, to, significance)];
}

/** Returns the split with the highest statistic; null for too few or equal values. Takes O(n) time. */
function findBestSplit(values: Float64Array): { readonly index: number; readonly statistic: number } | null {
  const count = values.length;
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  let best: { index: number; statistic: number } | null = null;
  let sumBefore = 0;
  let squaresBefore = 0;
  for (let index = 1; index <= count - MIN_SEGMENT_RUNS; index += 1) {
    const value = values[index - 1] ?? 0;
    sumBefore += value;
    squaresBefore += value * value;
    if (index < MIN_SEGMENT_RUNS) continue;
    const rest = count - index;
    const difference = Math.abs(sumBefore / index - (sum - sumBefore) / rest);
    const within = squaresBefore - sumBefore ** 2 / index + (squares - squaresBefore) - (sum - sumBefore) ** 2 / rest;
    const deviation = Math.max(MIN_DEVIATION, Math.sqrt(Math.max(0, within) / (count - 2)));
    const statistic = difference / (deviation * Math.sqrt(1 / index + 1 / rest));
    if (difference > MIN_DEVIATION && statistic > (best?.statistic ?? 0)) best = { index, statistic };
  }
  return best;
}

/** Shuffles in place (Fisher and Yates). Returns the new position in the seeded random sequence. */
function shuffle(values: Float64Array, drawn: number): number {
  let next = drawn;
  for (let last = values.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(uniformAt(SEED, next) * (last + 1));
    next += 1;
    const value = values[last] ?? 0;
    values[last] = values[chosen] ?? 0;
    values[chosen] = value;
  }
  return next;
}

/** Returns the ratio of the levels with its interval, by Student's t with pooled variance. */
function compareLevels(before: readonly number[], after: readonly number[]): Omit<ChangePoint, 'index'> {
  const difference = mean(after) - mean(before);
  const freedom = before.length + after.length - 2;
  const variance = (sumOfSquares(before) + sumOfSquares(after)) / freedom;
  const reach = studentQuantile(freedom, OUTSIDE_INTERVAL) * Math.sqrt(variance * (1 / before.length + 1 / after.length));
  return { ratio: Math.exp(difference), low: Math.exp(difference - reach), high: Math.exp(difference + reach) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function sumOfSquares(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
}
