import { incompleteBeta, studentQuantile } from '#core/statistics/beta.ts';
import { meanOf } from '#core/statistics/trend.ts';
import { spreadOf } from '../series/buildSeriesResult.ts';
import { permutationsOf, familyProbabilities, type Interval, shiftInterval, shiftOf, type Values } from './permutations.ts';
import type { Figure, FigureDifference, Judgement, Measure, Scope } from './schema.ts';

/**
 * How far runs differ among themselves at the least, as a standard deviation: a thousandth, of logarithms of times and rates and of shares that failed. A handful of
 * runs that happen to agree to the last digit, or that all had no failure, says nothing finer.
 */
const LEAST_SPREAD = 0.001;

interface Shift {
  readonly shift: number;
  /** Standard error of the shift. */
  readonly error: number;
  readonly freedom: number;
}

/**
 * Student's t with a common variance; of one run on the second side it is that of the first alone, and the interval that of a prediction (Hahn and Meeker 1991,
 * 4.7). Runs are taken to be normally distributed on the scale of the values, which the permutations of whole sides need not suppose.
 */
function shiftOfFew(values: Values, first: number): Shift {
  const sides = [values.slice(0, first), values.slice(first)];
  const [from = 0, to = 0] = sides.map(meanOf);
  const squares = sides.reduce((sum, side) => sum + side.reduce((own, value) => own + (value - meanOf(side)) ** 2, 0), 0);
  const freedom = values.length - 2;
  const spread = Math.max(LEAST_SPREAD, Math.sqrt(squares / freedom));
  return { shift: to - from, error: spread * Math.sqrt(1 / first + 1 / (values.length - first)), freedom };
}

/** For each of several figures of the same runs, how often chance alone would show as large a shift in any of them (Bonferroni). */
function predictedProbabilities(figures: readonly Values[], first: number): number[] {
  return figures.map((values) => {
    const { shift, error, freedom } = shiftOfFew(values, first);
    const t = shift / error;
    return Math.min(1, figures.length * incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t)));
  });
}

/** The shifts of a figure that are not ruled out at `level`. */
function predictedInterval(values: Values, first: number, level: number): Interval {
  const { shift, error, freedom } = shiftOfFew(values, first);
  const reach = studentQuantile(freedom, level) * error;
  return { from: shift - reach, to: shift + reach };
}

/** Whole runs on each side from which a difference can be told from noise: docs/comparison.md. */
export const ENOUGH_RUNS = 5;
/** A difference is claimed where chance alone would make it this often or more seldom; intervals leave out as much. */
const LEVEL = 0.01;

/** Whether more of it is good or bad. Processors and memory are told, and no figure by which anything is better. */
const BETTER: Readonly<Record<Measure, 'more' | 'less' | null>> = {
  goodPerSecond: 'more',
  p50: 'less',
  p95: 'less',
  p99: 'less',
  failedShare: 'less',
  cpuMsPerAnswer: null,
  cpuUsed: null,
  memory: null,
  largestPaint: 'less',
};

/** The figures of the whole runs of two sides. */
interface Sides {
  readonly first: readonly (readonly Figure[])[];
  readonly second: readonly (readonly Figure[])[];
  /** Nothing is to be claimed, whatever the figures are. */
  readonly isRefused: boolean;
  /** Whether fewer runs of the second side are held against how far those of the first are apart: see {@link isPredictable}. */
  readonly mayPredict?: boolean;
}

/** Whether a few runs can be held against a side of enough. */
export function isPredictable(first: number, second: number): boolean {
  return first >= ENOUGH_RUNS && second > 0 && second < ENOUGH_RUNS;
}

/** A figure with its values on both sides, on the scale that it is compared on. */
interface Lined {
  readonly scope: Scope;
  readonly measure: Measure;
  readonly from: readonly number[] | null;
  readonly to: readonly number[] | null;
  readonly scale: FigureDifference['scale'];
}

/**
 * Every figure of two sides, and whether it differs by more than runs of one side do. Figures of the whole run are one family, those of steps,
 * stages and machines another: within each, the chance to claim any difference where there is none is at most {@link LEVEL}.
 */
export function differencesOf({ first, second, isRefused, mayPredict = false }: Sides): FigureDifference[] {
  const lined = linedUp(first, second);
  const isEnough = Math.min(first.length, second.length) >= ENOUGH_RUNS;
  const isPredicted = mayPredict && isPredictable(first.length, second.length);
  if (isRefused || !(isEnough || isPredicted))
    return lined.map((one) => told(one, { judgement: isRefused ? 'refused' : 'tooFew', interval: null }));
  const test = isPredicted ? predictionFrom(first.length) : permutationTest(first.length, second.length);
  const isWhole = ({ scope }: Lined): boolean => scope.kind === 'run';
  const probabilities = new Map<Lined, number>();
  for (const family of [lined.filter(isWhole), lined.filter((one) => !isWhole(one))]) {
    const known = family.flatMap((one) => (valuesOf(one) === null ? [] : [one]));
    const found = test.probabilities(known.map((one) => valuesOf(one) ?? []));
    for (const [index, one] of known.entries()) probabilities.set(one, found[index] ?? 1);
  }
  return lined.map((one) => {
    const values = valuesOf(one);
    if (values === null) return told(one, { judgement: 'notKnown', interval: null });
    const judgement = (probabilities.get(one) ?? 1) <= LEVEL ? 'differs' : 'withinNoise';
    return told(one, { judgement, interval: test.interval(values) });
  });
}

/** How chance is reckoned. */
interface ChanceTest {
  readonly probabilities: (figures: readonly Values[]) => number[];
  readonly interval: (values: Values) => Interval;
}

function permutationTest(first: number, second: number): ChanceTest {
  const all = permutationsOf(first, second);
  return { probabilities: (figures) => familyProbabilities(figures, all), interval: (values) => shiftInterval(values, all, LEVEL) };
}

function predictionFrom(first: number): ChanceTest {
  return {
    probabilities: (figures) => predictedProbabilities(figures, first),
    interval: (values) => predictedInterval(values, first, LEVEL),
  };
}

function linedUp(first: Sides['first'], second: Sides['second']): Lined[] {
  const keys = new Map<string, Pick<Figure, 'scope' | 'measure'>>();
  for (const { scope, measure } of [...first, ...second].flat()) keys.set(keyOf({ scope, measure }), { scope, measure });
  const columns = [first, second].map((runs) => runs.map((figures) => new Map(figures.map((figure) => [keyOf(figure), figure.value]))));
  return [...keys].map(([key, { scope, measure }]) => {
    const [from = null, to = null] = columns.map((runs) => allKnown(runs.map((figures) => figures.get(key) ?? null)));
    const isRatio = measure !== 'failedShare' && [...(from ?? []), ...(to ?? [])].every((value) => value > 0);
    return { scope, measure, from, to, scale: isRatio ? 'ratio' : 'difference' };
  });
}

function keyOf({ scope, measure }: Pick<Figure, 'scope' | 'measure'>): string {
  return JSON.stringify([scope.kind, scope.name, measure]);
}

function allKnown(values: readonly (number | null)[]): number[] | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length && known.length > 0 ? known : null;
}

/** Of both sides, the first side's first; ratios by their logarithms, since what makes times longer multiplies them. */
function valuesOf({ from, to, scale }: Lined): number[] | null {
  if (from === null || to === null) return null;
  return [...from, ...to].map((value) => (scale === 'ratio' ? Math.log(value) : value));
}

function told(
  one: Lined,
  { judgement, interval }: { readonly judgement: Judgement; readonly interval: Interval | null },
): FigureDifference {
  const { scope, measure, from, to, scale } = one;
  const change = changeOf(one);
  const better = BETTER[measure];
  return {
    scope,
    measure,
    from: from && spreadOf(from),
    to: to && spreadOf(to),
    scale,
    change,
    interval: interval && { from: unscaled(interval.from, scale), to: unscaled(interval.to, scale) },
    judgement: change === null ? 'notKnown' : judgement,
    direction: change === null || change === 0 || better === null ? null : change > 0 === (better === 'more') ? 'better' : 'worse',
  };
}

/** Of the means; of ratios, of the geometric ones, which the interval is about too. */
function changeOf(one: Lined): number | null {
  const values = valuesOf(one);
  if (values === null || one.from === null) return null;
  return unscaled(shiftOf(values, one.from.length), one.scale);
}

function unscaled(shift: number, scale: FigureDifference['scale']): number {
  return scale === 'ratio' ? Math.expm1(shift) : shift;
}
