import { studentQuantile } from '#core/statistics/student.ts';
import { incompleteBeta } from '#core/statistics/beta.ts';
import { meanOf, type Interval, type Values } from './permutation.ts';

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
 * 4.7). Runs are taken to be normally distributed on the scale of the values, which the dealings of whole sides need not suppose.
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
export function predictedProbabilities(figures: readonly Values[], first: number): number[] {
  return figures.map((values) => {
    const { shift, error, freedom } = shiftOfFew(values, first);
    const t = shift / error;
    return Math.min(1, figures.length * incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t)));
  });
}

/** The shifts of a figure that are not ruled out at `level`. */
export function predictedInterval(values: Values, first: number, level: number): Interval {
  const { shift, error, freedom } = shiftOfFew(values, first);
  const reach = studentQuantile(freedom, level) * error;
  return { from: shift - reach, to: shift + reach };
}
