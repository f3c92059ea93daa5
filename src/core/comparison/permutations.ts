import { meanOf } from '#core/statistics/trend.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';

/** Maximum number of assignments that are enumerated; beyond it {@link SAMPLE_SIZE} are sampled. */
const MAX_ENUMERATED = 20_000;
const SAMPLE_SIZE = 9_999;
/** Fixed, so that a comparison of the same runs always gives the same result. */
const SEED = 1;

/** For each run, whether it is assigned to the second side. */
type Permutation = Uint8Array;

/**
 * Returns the assignments of `first + second` runs to two sides of these sizes: all of them, or a seeded sample. The real one, whose first runs are the
 * first side, is always included, so a probability is never 0 (Phipson and Smyth 2010).
 */
export function permutations(first: number, second: number): Permutation[] {
  const count = first + second;
  const real = Uint8Array.from({ length: count }, (_, run) => (run < first ? 0 : 1));
  if (numberOfPermutations(first, second) > MAX_ENUMERATED) return [real, ...sample(real)];
  const found: Permutation[] = [];
  const assigned = new Uint8Array(count);
  const assign = (run: number, left: number): void => {
    if (left > count - run) return;
    if (run === count) {
      found.push(assigned.slice());
      return;
    }
    if (left > 0) {
      assigned[run] = 1;
      assign(run + 1, left - 1);
      assigned[run] = 0;
    }
    assign(run + 1, left);
  };
  assign(0, second);
  return found;
}

/** Binomial coefficient; Infinity on overflow. */
function numberOfPermutations(first: number, second: number): number {
  let ways = 1;
  for (let index = 1; index <= second; index += 1) ways = (ways * (first + index)) / index;
  return ways;
}

/** Repeated Fisher-Yates shuffles of the real assignment. */
function sample(real: Permutation): Permutation[] {
  let drawn = 0;
  return Array.from({ length: SAMPLE_SIZE }, () => {
    const assigned = real.slice();
    for (let last = assigned.length - 1; last > 0; last -= 1) {
      const chosen = Math.floor(uniformAt(SEED, drawn) * (last + 1));
      drawn += 1;
      const kept = assigned[last] ?? 0;
      assigned[last] = assigned[chosen] ?? 0;
      assigned[chosen] = kept;
    }
    return assigned;
  });
}

/** One figure of all compared runs: the first side's, then the second side's. */
export type Values = readonly number[];

/** Relative size of floating-point errors. */
const ROUNDING = 1e-9;

/** The assignments of runs to two sides, including the real one. */
export interface Permutations {
  readonly first: number;
  readonly second: number;
  readonly ways: readonly Permutation[];
  /** For each assignment: share of the second side's runs on its second side, minus the share on its first side. */
  readonly common: Float64Array;
}

export function permutationsOf(first: number, second: number): Permutations {
  const ways = permutations(first, second);
  const real = Array.from({ length: first + second }, (_, run) => (run < first ? 0 : 1));
  return { first, second, ways, common: differencesOf(real, { first, second, ways }) };
}

/** Mean of the second side minus mean of the first, for each assignment. */
function differencesOf(values: Values, { first, second, ways }: Omit<Permutations, 'common'>): Float64Array {
  const sum = sumOf(values);
  return Float64Array.from(ways, (permutation) => {
    const sumSecond = values.reduce((total, value, run) => (permutation[run] === 1 ? total + value : total), 0);
    return sumSecond / second - (sum - sumSecond) / first;
  });
}

/** Mean of the second side minus mean of the first, for the real assignment. */
export function shiftOf(values: Values, first: number): number {
  return meanOf(values.slice(first)) - meanOf(values.slice(0, first));
}

/**
 * Returns for each figure the probability of so large a difference in any figure under the null hypothesis: the share of permutations whose largest |t| of
 * all figures is at least this figure's real |t| (single-step maxT, Westfall and Young 1993). Figures may be correlated in any way, and the probability of
 * any false claim stays below the level.
 */
export function familyProbabilities(figures: readonly Values[], all: Permutations): number[] {
  const largest = new Float64Array(all.ways.length);
  const observed = figures.map((values) => {
    const mean = meanOf(values);
    // Centred, so that squares keep their precision.
    const centred = values.map((value) => value - mean);
    const squares = sumOf(centred.map((value) => value * value));
    for (const [way, difference] of differencesOf(centred, all).entries())
      largest[way] = Math.max(largest[way] ?? 0, distance(difference, squares));
    return distance(shiftOf(centred, all.first), squares);
  });
  return observed.map((one) => largest.filter((other) => other >= one * (1 - ROUNDING)).length / largest.length);
}

/** A monotonic function of |t| of Student's test with a common variance. With r² proportional to it, t² = (n − 2) r² / (1 − r²). 0 for equal values. */
function distance(difference: number, squares: number): number {
  return squares === 0 ? 0 : (difference * difference) / squares;
}

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns all shifts of the second side against the first that the permutations do not exclude at `level`: the inverted test. Assumes only that the noise
 * has the same distribution on both sides.
 *
 * With a shift δ removed from the second side, the difference of means D becomes D − δ, and that of another permutation D' − δ·c, where c is its `common`.
 * For δ < D that permutation is at least as extreme as the real one if |D' − δ·c| ≥ D − δ. The smallest such δ is the smaller of (D − D') / (1 − c) and
 * (D + D') / (1 + c). So the number of such permutations only grows with δ, and the lower limit is where it exceeds `level` of all. The upper limit is that
 * of the mirrored values, whose D and D' change their signs. ∓Infinity with too few permutations for the level.
 */
export function shiftInterval(values: Values, all: Permutations, level: number): Interval {
  const differences = differencesOf(values, all);
  const real = shiftOf(values, all.first);
  return { from: lowerEnd(differences, real, 1, all, level), to: -lowerEnd(differences, real, -1, all, level) };
}

function lowerEnd(differences: Float64Array, real: number, sign: 1 | -1, { common }: Permutations, level: number): number {
  const starts = differences.map((difference, way) => {
    const c = common[way] ?? 0;
    const same = 1 - c < ROUNDING ? Number.NEGATIVE_INFINITY : (sign * (real - difference)) / (1 - c);
    const mirrored = 1 + c < ROUNDING ? Number.NEGATIVE_INFINITY : (sign * (real + difference)) / (1 + c);
    return Math.min(same, mirrored);
  });
  return starts.sort()[Math.floor(level * starts.length)] ?? real;
}

function sumOf(values: Values): number {
  return values.reduce((sum, value) => sum + value, 0);
}
