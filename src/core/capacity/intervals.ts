import { uniformAt } from '../load/uniformAt.ts';
import { student95 } from '../stats/student.ts';
import { fitUsl, uslPeak, uslRate, type Measured, type Usl } from './usl.ts';

/** A number with what 95 of 100 such intervals would hold the true one in; `high` is null where there may be no end. */
export interface Between {
  readonly value: number;
  readonly low: number;
  readonly high: number | null;
}

export interface UslIntervals {
  readonly lambda: Between;
  readonly sigma: Between;
  readonly kappa: Between;
  /** Where it is highest; null where the curve itself never falls. */
  readonly peakAt: Between | null;
}

const RESAMPLES = 400;
const PARAMETERS = 3;
const NORMAL_95 = 1.96;
/**
 * What is left out on either side of what was drawn: less than of the 95 % that is told, since a bootstrap from few levels is too narrow (Efron and Tibshirani 1993, 12.5 and 13.3),
 * and most so where σ or κ is held at 0.
 */
const LEFT_OUT = 0.005;
/** Everything random here follows from it: the same measurements always give the same interval. */
const SEED = 2_007;

/**
 * How sure the numbers of a curve are, by a parametric bootstrap (Efron 1979): to what the curve says, normal relative deviations are added, as large as those that
 * were seen (three taken off their number for the curve's own), and the curve is fitted again, many times. Few levels tell little of how large they are: the
 * ends are moved out by Student's t over the normal's.
 */
export function uslIntervals(points: readonly Measured[], usl: Usl): UslIntervals {
  const freedom = points.length - PARAMETERS;
  const squares = points.reduce((sum, { at, perSecond }) => sum + (perSecond / uslRate(usl, at) - 1) ** 2, 0);
  const deviation = Math.sqrt(squares / Math.max(1, freedom));
  const fits: Usl[] = [];
  for (let sample = 0; sample < RESAMPLES; sample += 1) {
    const drawn = points.map(({ at }, index) => {
      const noise = deviation * normalAt(sample * points.length + index);
      return { at, perSecond: uslRate(usl, at) * Math.max(0.01, 1 + noise) };
    });
    const fit = fitUsl(drawn);
    if (fit !== null) fits.push(fit);
  }
  const widen = student95(freedom) / NORMAL_95;
  const peak = uslPeak(usl);
  return {
    lambda: between(
      usl.lambda,
      fits.map(({ lambda }) => lambda),
      widen,
    ),
    sigma: between(
      usl.sigma,
      fits.map(({ sigma }) => sigma),
      widen,
    ),
    kappa: between(
      usl.kappa,
      fits.map(({ kappa }) => kappa),
      widen,
    ),
    peakAt:
      peak === null
        ? null
        : between(
            peak,
            fits.map((fit) => uslPeak(fit) ?? Number.POSITIVE_INFINITY),
            widen,
          ),
  };
}

/** A number of the standard normal distribution for each index (Box and Muller). */
function normalAt(index: number): number {
  return Math.sqrt(-2 * Math.log(uniformAt(SEED, 2 * index))) * Math.cos(2 * Math.PI * uniformAt(SEED, 2 * index + 1));
}

function between(value: number, drawn: readonly number[], widen: number): Between {
  const sorted = [...drawn].sort((one, other) => one - other);
  const quantile = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))] ?? value;
  // The wider side counts for both: where a number is held at 0, what is drawn says nothing of how far the truth may lie the other way.
  const below = Math.max(0, value - quantile(LEFT_OUT)) * widen;
  const above = Math.max(0, quantile(1 - LEFT_OUT) - value) * widen;
  const low = Math.max(0, value - (Number.isFinite(above) ? Math.max(below, above) : below));
  const high = value + Math.max(below, above);
  return { value, low, high: Number.isFinite(high) ? high : null };
}
