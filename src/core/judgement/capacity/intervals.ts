import { leastSquares } from '#core/statistics/leastSquares.ts';
import { studentQuantile } from '#core/statistics/beta.ts';
import { type Measured, type Usl, uslPeak, uslRate } from './usl.ts';

/** A number with its 95 % interval; `high` is null if it may be unbounded. */
export interface Between {
  readonly value: number;
  readonly low: number;
  readonly high: number | null;
}

export interface UslIntervals {
  readonly lambda: Between;
  readonly sigma: Between;
  readonly kappa: Between;
  /** Position of the peak; null if the curve never falls. */
  readonly peakAt: Between | null;
}

/** Error probability of both tails. Smaller than the claimed 5 %, because the weights are estimates, too. */
const TAIL_PROBABILITY = 0.025;

/** Two estimated linear combinations of coefficients with their variances and covariance. */
interface Pair {
  readonly over: number;
  readonly under: number;
  readonly overVariance: number;
  readonly underVariance: number;
  readonly covariance: number;
}

/**
 * Computes the intervals of a fitted curve. N / X = a + b(N − 1) + cN(N − 1) is linear in a = 1/λ, b = σ/λ and c = κ/λ. All levels have the same relative
 * error, so with the curve's values as weights it is an ordinary regression and a has Student's interval. σ = b/a, κ = c/a and the squared peak, (a − b)/c,
 * are ratios with exact intervals by Fieller's theorem (1954): all r for which over − r · under may be 0. Impossible values are cut off: negative shares,
 * and a peak below 1.
 */
export function uslIntervals(points: readonly Measured[], usl: Usl): UslIntervals {
  const found = leastSquares(
    points.map(({ at, perSecond }) => ({
      at: [at - 1, at * (at - 1)],
      value: at / perSecond,
      weight: (uslRate(usl, at) / at) ** 2,
    })),
  );
  if (found === null) throw new TypeError('A curve has more levels than numbers.');
  const [a = 0, b = 0, c = 0] = found.coefficients;
  const covariance = (row: number, column: number): number => found.covariances[row]?.[column] ?? 0;
  const t = studentQuantile(found.freedom, TAIL_PROBABILITY);
  const [aa, bb, cc] = [covariance(0, 0), covariance(1, 1), covariance(2, 2)];
  const sigma = ratio({ over: b, under: a, overVariance: bb, underVariance: aa, covariance: covariance(0, 1) }, t);
  const kappa = ratio({ over: c, under: a, overVariance: cc, underVariance: aa, covariance: covariance(0, 2) }, t);
  const beyond = ratio(
    {
      over: a - b,
      under: c,
      overVariance: aa + bb - 2 * covariance(0, 1),
      underVariance: cc,
      covariance: covariance(0, 2) - covariance(1, 2),
    },
    t,
  );
  const slowest = a - t * Math.sqrt(aa);
  const peak = uslPeak(usl);
  return {
    lambda: around(usl.lambda, { low: 1 / (a + t * Math.sqrt(aa)), high: slowest > 0 ? 1 / slowest : null }),
    sigma: around(usl.sigma, sigma),
    kappa: around(usl.kappa, kappa),
    peakAt:
      peak === null
        ? null
        : around(peak, {
            low: Math.max(1, Math.sqrt(Math.max(0, beyond.low))),
            high: beyond.high === null ? null : Math.max(1, Math.sqrt(Math.max(0, beyond.high))),
          }),
  };
}

type Ends = Omit<Between, 'value'>;

/** Extends the interval to contain the value, which may be clamped to 0. */
function around(value: number, { low, high }: Ends): Between {
  return { value, low: Math.max(0, Math.min(value, low)), high: high === null ? null : Math.max(value, high) };
}

/** Returns the ratios r with (over − r · under)² ≤ t² · its variance: between the roots of a parabola, or unbounded if `under` may be 0. */
function ratio({ over, under, overVariance, underVariance, covariance }: Pair, t: number): Ends {
  const square = under ** 2 - t ** 2 * underVariance;
  const middle = over * under - t ** 2 * covariance;
  const rest = over ** 2 - t ** 2 * overVariance;
  const inside = middle ** 2 - square * rest;
  if (square > 0) {
    const reach = Math.sqrt(Math.max(0, inside));
    return { low: (middle - reach) / square, high: (middle + reach) / square };
  }
  if (inside <= 0 || square === 0) return { low: 0, high: null };
  return { low: Math.max(0, (middle - Math.sqrt(inside)) / square), high: null };
}
