import { incompleteBeta, studentQuantile } from '#core/statistics/bounds.ts';
import { meanOf } from '#core/statistics/trend.ts';
import { computeSpread } from '#core/series/buildSeriesResult.ts';
import type { Figure, FigureDifference, Judgement, Measure, Scope } from './schema.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';

/**
 * Smallest standard deviation between runs, of logarithms of times and rates and of failed shares. A few runs that agree exactly by chance
 * do not show a smaller one.
 */
const MIN_STANDARD_DEVIATION = 0.001;

interface Shift {
  readonly shift: number;
  /** Standard error of the shift. */
  readonly error: number;
  readonly freedom: number;
}

/**
 * Student's t test with a common variance. With one run on the second side the variance is that of the first side alone, and the interval
 * is a prediction interval (Hahn and Meeker 1991, 4.7). Assumes normal distributions on the scale of the values, unlike the permutation
 * test.
 */
function shiftOfFew(values: Values, first: number): Shift {
  const sides = [values.slice(0, first), values.slice(first)];
  const [from = 0, to = 0] = sides.map(meanOf);
  const squares = sides.reduce((sum, side) => sum + side.reduce((own, value) => own + (value - meanOf(side)) ** 2, 0), 0);
  const freedom = values.length - 2;
  const spread = Math.max(MIN_STANDARD_DEVIATION, Math.sqrt(squares / freedom));
  return { shift: to - from, error: spread * Math.sqrt(1 / first + 1 / (values.length - first)), freedom };
}

/** Returns, for each figure, the probability that chance causes such a shift in any of the figures (Bonferroni). */
function predictionProbabilities(figures: readonly Values[], first: number): number[] {
  return figures.map((values) => {
    const { shift, error, freedom } = shiftOfFew(values, first);
    const t = shift / error;
    return Math.min(1, figures.length * incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t)));
  });
}

/** Returns the shifts of a figure that are not excluded at the significance level `level`. */
function predictionInterval(values: Values, first: number, level: number): Interval {
  const { shift, error, freedom } = shiftOfFew(values, first);
  const reach = studentQuantile(freedom, level) * error;
  return { from: shift - reach, to: shift + reach };
}

/** Minimum number of complete runs per side for a significant difference: docs/comparison.md. */
export const MIN_RUNS_PER_SIDE = 5;
/** Significance level of claims and error probability of intervals. */
const SIGNIFICANCE_LEVEL = 0.01;

/** Whether more is better or worse. Processor and memory use are shown without a rating. */
const BETTER_DIRECTION: Readonly<Record<Measure, 'more' | 'less' | null>> = {
  goodPerSecond: 'more',
  p50: 'less',
  p95: 'less',
  p99: 'less',
  failedShare: 'less',
  cpuMsPerResponse: null,
  cpuUsed: null,
  memory: null,
  largestPaint: 'less',
};

/** Figures of the complete runs of two sides. */
interface Sides {
  readonly first: readonly (readonly Figure[])[];
  readonly second: readonly (readonly Figure[])[];
  /** Whether no claim may be made. */
  readonly isRefused: boolean;
  /** Whether fewer runs of the second side are compared with the variation of the first side: see {@link isPredictable}. */
  readonly mayPredict?: boolean;
}

/** Returns whether a few runs of the second side can be compared with enough runs of the first side. */
export function isPredictable(first: number, second: number): boolean {
  return first >= MIN_RUNS_PER_SIDE && second > 0 && second < MIN_RUNS_PER_SIDE;
}

/** A figure with its values on both sides, and the scale of the comparison. */
interface AlignedFigure {
  readonly scope: Scope;
  readonly measure: Measure;
  readonly from: readonly number[] | null;
  readonly to: readonly number[] | null;
  readonly scale: FigureDifference['scale'];
}

/**
 * Returns every figure of two sides with its judgement. Figures of the whole run are one family, those of steps, stages and machines
 * another. Within each family, the probability of any false claim is at most {@link SIGNIFICANCE_LEVEL}.
 */
export function listDifferences({ first, second, isRefused, mayPredict = false }: Sides): FigureDifference[] {
  const lined = alignFigures(first, second);
  const isEnough = Math.min(first.length, second.length) >= MIN_RUNS_PER_SIDE;
  const isPredicted = mayPredict && isPredictable(first.length, second.length);
  if (isRefused || !(isEnough || isPredicted))
    return lined.map((one) => reportDifference(one, { judgement: isRefused ? 'refused' : 'tooFew', interval: null }));
  const test = isPredicted ? buildPredictionTest(first.length) : permutationTest(first.length, second.length);
  const isWhole = ({ scope }: AlignedFigure): boolean => scope.kind === 'run';
  const probabilities = new Map<AlignedFigure, number>();
  for (const family of [lined.filter(isWhole), lined.filter((one) => !isWhole(one))]) {
    const comparable = family.flatMap((one) => (listValues(one) === null ? [] : [one]));
    const found = test.probabilities(comparable.map((one) => listValues(one) ?? []));
    for (const [index, one] of comparable.entries()) probabilities.set(one, found[index] ?? 1);
  }
  return lined.map((one) => {
    const values = listValues(one);
    if (values === null) return reportDifference(one, { judgement: 'notKnown', interval: null });
    const judgement = (probabilities.get(one) ?? 1) <= SIGNIFICANCE_LEVEL ? 'differs' : 'withinNoise';
    return reportDifference(one, { judgement, interval: test.interval(values) });
  });
}

/** Method of the significance test. */
interface ChanceTest {
  readonly probabilities: (figures: readonly Values[]) => number[];
  readonly interval: (values: Values) => Interval;
}

function permutationTest(first: number, second: number): ChanceTest {
  const all = buildPermutations(first, second);
  return {
    probabilities: (figures) => familyProbabilities(figures, all),
    interval: (values) => shiftInterval(values, all, SIGNIFICANCE_LEVEL),
  };
}

function buildPredictionTest(first: number): ChanceTest {
  return {
    probabilities: (figures) => predictionProbabilities(figures, first),
    interval: (values) => predictionInterval(values, first, SIGNIFICANCE_LEVEL),
  };
}

function alignFigures(first: Sides['first'], second: Sides['second']): AlignedFigure[] {
  const keys = new Map<string, Pick<Figure, 'scope' | 'measure'>>();
  for (const { scope, measure } of [...first, ...second].flat()) keys.set(keyOf({ scope, measure }), { scope, measure });
  const columns = [first, second].map((runs) => runs.map((figures) => new Map(figures.map((figure) => [keyOf(figure), figure.value]))));
  return [...keys].map(([key, { scope, measure }]) => {
    const [from = null, to = null] = columns.map((runs) => requireAllKnown(runs.map((figures) => figures.get(key) ?? null)));
    const isRatio = measure !== 'failedShare' && [...(from ?? []), ...(to ?? [])].every((value) => value > 0);
    return { scope, measure, from, to, scale: isRatio ? 'ratio' : 'difference' };
  });
}

function keyOf({ scope, measure }: Pick<Figure, 'scope' | 'measure'>): string {
  return JSON.stringify([scope.kind, scope.name, measure]);
}

function requireAllKnown(values: readonly (number | null)[]): number[] | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === values.length && numbers.length > 0 ? numbers : null;
}

/** Returns the values of both sides, the first side's first. Ratios use logarithms, because slowdowns are multiplicative. */
function listValues({ from, to, scale }: AlignedFigure): number[] | null {
  if (from === null || to === null) return null;
  return [...from, ...to].map((value) => (scale === 'ratio' ? Math.log(value) : value));
}

function reportDifference(
  one: AlignedFigure,
  { judgement, interval }: { readonly judgement: Judgement; readonly interval: Interval | null },
): FigureDifference {
  const { scope, measure, from, to, scale } = one;
  const change = computeChange(one);
  const better = BETTER_DIRECTION[measure];
  return {
    scope,
    measure,
    from: from && computeSpread(from),
    to: to && computeSpread(to),
    scale,
    change,
    interval: interval && { from: toOriginalScale(interval.from, scale), to: toOriginalScale(interval.to, scale) },
    judgement: change === null ? 'notKnown' : judgement,
    direction: change === null || change === 0 || better === null ? null : change > 0 === (better === 'more') ? 'better' : 'worse',
  };
}

/** Returns the change of the means. For ratios, it is the change of the geometric means, to which the interval also refers. */
function computeChange(one: AlignedFigure): number | null {
  const values = listValues(one);
  if (values === null || one.from === null) return null;
  return toOriginalScale(findMeanShift(values, one.from.length), one.scale);
}

function toOriginalScale(shift: number, scale: FigureDifference['scale']): number {
  return scale === 'ratio' ? Math.expm1(shift) : shift;
}

/** Maximum number of assignments that are enumerated; beyond it {@link SAMPLE_SIZE} are sampled. */
const MAX_ENUMERATED = 20_000;
const SAMPLE_SIZE = 9_999;
/** Fixed seed, so that a comparison of the same runs always gives the same result. */
const SEED = 1;

/** For each run, whether it is assigned to the second side. */
type Permutation = Uint8Array;

/**
 * Returns the assignments of `first + second` runs to two sides of these sizes: all of them, or a seeded sample. The real one, whose first
 * runs are the first side, is always included, so a probability is never 0 (Phipson and Smyth 2010).
 */
export function listPermutations(first: number, second: number): Permutation[] {
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
  let permutationCount = 1;
  for (let index = 1; index <= second; index += 1) permutationCount = (permutationCount * (first + index)) / index;
  return permutationCount;
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
type Values = readonly number[];

/** Relative size of floating-point errors. */
const ROUNDING_ERROR = 1e-9;

/** The assignments of runs to two sides, including the real one. */
interface Permutations {
  readonly first: number;
  readonly second: number;
  readonly ways: readonly Permutation[];
  /** For each assignment: the share of its second side's runs that really are on the second side, minus that of its first side's runs. */
  readonly common: Float64Array;
}

export function buildPermutations(first: number, second: number): Permutations {
  const ways = listPermutations(first, second);
  const real = Array.from({ length: first + second }, (_, run) => (run < first ? 0 : 1));
  return { first, second, ways, common: differencesPerWay(real, { first, second, ways }) };
}

/** Returns the mean of the second side minus the mean of the first, for each assignment. */
function differencesPerWay(values: Values, { first, second, ways }: Omit<Permutations, 'common'>): Float64Array {
  const sum = sumOf(values);
  return Float64Array.from(ways, (permutation) => {
    const sumSecond = values.reduce((total, value, run) => (permutation[run] === 1 ? total + value : total), 0);
    return sumSecond / second - (sum - sumSecond) / first;
  });
}

/** Returns the mean of the second side minus the mean of the first, for the real assignment. */
function findMeanShift(values: Values, first: number): number {
  return meanOf(values.slice(first)) - meanOf(values.slice(0, first));
}

/**
 * Returns, for each figure, the probability of a difference this large in any figure under the null hypothesis: the share of permutations
 * whose largest |t| of all figures is at least this figure's real |t| (single-step maxT, Westfall and Young 1993). Figures may be
 * correlated in any way, and the probability of any false claim stays below the level.
 */
export function familyProbabilities(figures: readonly Values[], all: Permutations): number[] {
  const largest = new Float64Array(all.ways.length);
  const observed = figures.map((values) => {
    const mean = meanOf(values);
    // Centred, so that squares keep their precision.
    const centred = values.map((value) => value - mean);
    const squares = sumOf(centred.map((value) => value * value));
    for (const [way, difference] of differencesPerWay(centred, all).entries())
      largest[way] = Math.max(largest[way] ?? 0, permutationDistance(difference, squares));
    return permutationDistance(findMeanShift(centred, all.first), squares);
  });
  return observed.map((one) => largest.filter((other) => other >= one * (1 - ROUNDING_ERROR)).length / largest.length);
}

/**
 * Returns a monotonic function of |t| from Student's test with a common variance. With r² proportional to it, t² = (n − 2) r² / (1 − r²).
 * Returns 0 for equal values.
 */
function permutationDistance(difference: number, squares: number): number {
  return squares === 0 ? 0 : (difference * difference) / squares;
}

interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns all shifts of the second side against the first that the permutations do not exclude at `level`: the inverted test. Assumes only
 * that the noise has the same distribution on both sides.
 *
 * With a shift δ removed from the second side, the difference of means D becomes D − δ, and that of another permutation D' − δ·c, where c
 * is its `common`. For δ < D that permutation is at least as extreme as the real one if |D' − δ·c| ≥ D − δ. The smallest such δ is the
 * smaller of (D − D') / (1 − c) and (D + D') / (1 + c). So the number of such permutations only grows with δ, and the lower limit is where
 * it exceeds `level` of all. The upper limit is that of the mirrored values, whose D and D' change their signs. ∓Infinity with too few
 * permutations for the level.
 */
export function shiftInterval(values: Values, all: Permutations, level: number): Interval {
  const differences = differencesPerWay(values, all);
  const real = findMeanShift(values, all.first);
  return { from: findLowerBound(differences, real, 1, all, level), to: -findLowerBound(differences, real, -1, all, level) };
}

function findLowerBound(differences: Float64Array, real: number, sign: 1 | -1, { common }: Permutations, level: number): number {
  const starts = differences.map((difference, way) => {
    const c = common[way] ?? 0;
    const same = 1 - c < ROUNDING_ERROR ? Number.NEGATIVE_INFINITY : (sign * (real - difference)) / (1 - c);
    const mirrored = 1 + c < ROUNDING_ERROR ? Number.NEGATIVE_INFINITY : (sign * (real + difference)) / (1 + c);
    return Math.min(same, mirrored);
  });
  return starts.sort()[Math.floor(level * starts.length)] ?? real;
}

function sumOf(values: Values): number {
  return values.reduce((sum, value) => sum + value, 0);
}
