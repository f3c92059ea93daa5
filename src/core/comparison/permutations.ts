import { meanOf } from '#core/statistics/trend.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';

/** Up to so many ways to deal the runs are all looked at; beyond, a sample of {@link SAMPLED} of them. */
const MOST_ENUMERATED = 20_000;
const SAMPLED = 9_999;
/** The same runs must give the same answer each time they are compared. */
const SEED = 1;

/** For each run, whether it goes to the second side. */
type Permutation = Uint8Array;

/**
 * The ways to assign `first + second` runs to two sides of these sizes: all of them, or a seeded sample. The real one, in which the first
 * runs are the first side, is always among them, so that a probability is never 0 (Phipson and Smyth 2010).
 */
export function permutations(first: number, second: number): Permutation[] {
  const count = first + second;
  const real = Uint8Array.from({ length: count }, (_, run) => (run < first ? 0 : 1));
  if (numberOfPermutations(first, second) > MOST_ENUMERATED) return [real, ...sample(real)];
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

/** Binomial coefficient; Infinity where it is too large to matter. */
function numberOfPermutations(first: number, second: number): number {
  let ways = 1;
  for (let index = 1; index <= second; index += 1) ways = (ways * (first + index)) / index;
  return ways;
}

/** Fisher and Yates' shuffle of the real permutation, again and again. */
function sample(real: Permutation): Permutation[] {
  let drawn = 0;
  return Array.from({ length: SAMPLED }, () => {
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

/** One figure of all runs that are compared: those of the first side, then those of the second. */
export type Values = readonly number[];

/** Parts of the whole as small as this are rounding errors of the arithmetic. */
const ROUNDING = 1e-9;

/** All the ways in which runs could have been assigned to two sides, of which the real one is one. */
export interface Permutations {
  readonly first: number;
  readonly second: number;
  readonly ways: readonly Permutation[];
  /** For each way, the share of the second side's own runs in its second side less that in its first. */
  readonly common: Float64Array;
}

export function permutationsOf(first: number, second: number): Permutations {
  const ways = permutations(first, second);
  const real = Array.from({ length: first + second }, (_, run) => (run < first ? 0 : 1));
  return { first, second, ways, common: differencesOf(real, { first, second, ways }) };
}

/** Mean of the second side less that of the first, for each way. */
function differencesOf(values: Values, { first, second, ways }: Omit<Permutations, 'common'>): Float64Array {
  const sum = sumOf(values);
  return Float64Array.from(ways, (permutation) => {
    const sumSecond = values.reduce((total, value, run) => (permutation[run] === 1 ? total + value : total), 0);
    return sumSecond / second - (sum - sumSecond) / first;
  });
}

/** Mean of the second side less that of the first, as they really were. */
export function shiftOf(values: Values, first: number): number {
  return meanOf(values.slice(first)) - meanOf(values.slice(0, first));
}

/**
 * For each of several figures of the same runs, how often chance alone would show as large a difference in any of them, if the sides meant
 * nothing: the share of the permutations in which the largest |t| of all figures is at least the one that this figure has in the real permutation
 * (single-step maxT, Westfall and Young 1993). So the figures may hang together in whatever way, and the chance that any is called different
 * although none is stays below the level at which it is called.
 */
export function familyProbabilities(figures: readonly Values[], all: Permutations): number[] {
  const largest = new Float64Array(all.ways.length);
  const observed = figures.map((values) => {
    const mean = meanOf(values);
    // Less their mean, so that squares keep their digits.
    const centred = values.map((value) => value - mean);
    const squares = sumOf(centred.map((value) => value * value));
    for (const [way, difference] of differencesOf(centred, all).entries())
      largest[way] = Math.max(largest[way] ?? 0, distance(difference, squares));
    return distance(shiftOf(centred, all.first), squares);
  });
  return observed.map((one) => largest.filter((other) => other >= one * (1 - ROUNDING)).length / largest.length);
}

/**
 * What grows with |t| of Student's test with a common variance, by the same rule for all figures of the same runs: with r² this much by a constant, t² is
 * (n − 2) r² / (1 − r²). 0 where all values are the same.
 */
function distance(difference: number, squares: number): number {
  return squares === 0 ? 0 : (difference * difference) / squares;
}

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * All shifts of the second side against the first that the permutations do not rule out at `level`: the test, turned round. No shape of the
 * noise is supposed, only that it is the same on both sides.
 *
 * With a shift δ taken out of the second side, the difference of means D becomes D − δ, and that of another permutation D' − δ·c, where c is
 * `common` of that permutation. Below D, that permutation is at least as extreme as the real one, |D' − δ·c| ≥ D − δ, from the smaller of
 * (D − D') / (1 − c) and (D + D') / (1 + c) on. So how many permutations are as extreme only grows with δ, and the lower end is where they become
 * more than `level` of all. The upper end is that of the mirrored values, for which D and D' change their signs. ∓Infinity where there are too
 * few permutations for the level.
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
