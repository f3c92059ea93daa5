import { fitLeastSquares } from '#core/statistics/leastSquares.ts';
import { studentQuantile } from '#core/statistics/bounds.ts';

/** One measurement: simultaneous users or connections, and throughput. */
export interface MeasuredThroughput {
  readonly at: number;
  readonly perSecond: number;
}

/**
 * The universal scalability law (Neil Gunther, Guerrilla Capacity Planning, 2007): X(N) = λN / (1 + σ(N − 1) + κN(N − 1)). λ is the
 * throughput of one user. σ (contention) is the share of the work that is serialized. κ (coherency) is the cost of each pair of users;
 * above 0, throughput has a peak and falls beyond it.
 */
export interface Usl {
  readonly lambda: number;
  readonly sigma: number;
  readonly kappa: number;
}

export function uslRate({ lambda, sigma, kappa }: Usl, at: number): number {
  return (lambda * at) / (1 + sigma * (at - 1) + kappa * at * (at - 1));
}

/** Returns the peak of the curve, √((1 − σ) / κ), at least 1; null if it never falls. */
export function uslPeak({ sigma, kappa }: Usl): number | null {
  if (kappa <= 0 || sigma >= 1) return kappa > 0 ? 1 : null;
  return Math.max(1, Math.sqrt((1 - sigma) / kappa));
}

/** Terms of N / X = a + b(N − 1) + cN(N − 1). */
const TERMS = [(_at: number) => 1, (at: number) => at - 1, (at: number) => at * (at - 1)] as const;
const ALL_PARAMETERS = [0, 1, 2] as const;
/** Term sets without κ, without σ, and without both. */
const TERM_SUBSETS = [[0, 1], [0, 2], [0]] as const;

/**
 * Fits the law by least squares of relative deviations. N / X is linear in 1 / λ, σ / λ and κ / λ; division by the measured values gives
 * each level the same weight. No parameter may be negative: if one is, the best fit of a subset of the terms is used. Returns null for
 * fewer than three different levels.
 */
export function fitUsl(points: readonly MeasuredThroughput[]): Usl | null {
  if (new Set(points.map(({ at }) => at)).size < TERMS.length) return null;
  const equations = normalEquations(points);
  const free = validateUsl(solve(equations, ALL_PARAMETERS));
  if (free !== null) return free;
  let best: { readonly usl: Usl; readonly squares: number } | null = null;
  for (const subset of TERM_SUBSETS) {
    const usl = validateUsl(solve(equations, subset));
    if (usl === null) continue;
    const squares = points.reduce((sum, { at, perSecond }) => sum + (perSecond / uslRate(usl, at) - 1) ** 2, 0);
    if (best === null || squares < best.squares) best = { usl, squares };
  }
  return best?.usl ?? null;
}

function validateUsl(found: readonly number[] | null): Usl | null {
  const [a = 0, b = 0, c = 0] = found ?? [];
  return a <= 0 || b < 0 || c < 0 ? null : { lambda: 1 / a, sigma: b / a, kappa: c / a };
}

/** Rows of the normal equations with the right-hand side at the end; columns are scaled. */
interface NormalEquations {
  readonly rows: readonly (readonly number[])[];
  readonly sizes: readonly number[];
}

function normalEquations(points: readonly MeasuredThroughput[]): NormalEquations {
  const columns = TERMS.map((term) => points.map(({ at, perSecond }) => (term(at) * perSecond) / at));
  const sizes = columns.map((column) => Math.sqrt(column.reduce((sum, value) => sum + value * value, 0)) || 1);
  const scaled = columns.map((column, index) => column.map((value) => value / (sizes[index] ?? 1)));
  const rows = scaled.map((one) => [
    ...scaled.map((other) => one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)),
    one.reduce((sum, value) => sum + value, 0),
  ]);
  return { rows, sizes };
}

/** Solves for all terms by Gauss-Jordan elimination, with 0 for omitted ones. Returns null if the levels do not determine the terms. */
function solve({ rows, sizes }: NormalEquations, subset: readonly number[]): number[] | null {
  const matrix = subset.map((one) => [...subset, TERMS.length].map((other) => rows[one]?.[other] ?? 0));
  for (let column = 0; column < subset.length; column += 1) {
    const candidates = matrix.slice(column);
    const pivot = candidates.reduce((best, row) => (Math.abs(row[column] ?? 0) > Math.abs(best[column] ?? 0) ? row : best));
    const head = pivot[column] ?? 0;
    if (Math.abs(head) < 1e-12) return null;
    const from = matrix.indexOf(pivot);
    matrix[from] = matrix[column] ?? pivot;
    matrix[column] = pivot;
    for (const [index, row] of matrix.entries()) {
      if (index === column) continue;
      const factor = (row[column] ?? 0) / head;
      matrix[index] = row.map((cell, place) => cell - factor * (pivot[place] ?? 0));
    }
  }
  const coefficients = TERMS.map(() => 0);
  for (const [place, term] of subset.entries())
    coefficients[term] = (matrix[place]?.[subset.length] ?? 0) / (matrix[place]?.[place] ?? 1) / (sizes[term] ?? 1);
  return coefficients;
}

/** A number with its 95 % interval; `high` is null if it may be unbounded. */
export interface ValueInterval {
  readonly value: number;
  readonly low: number;
  readonly high: number | null;
}

export interface UslIntervals {
  readonly lambda: ValueInterval;
  readonly sigma: ValueInterval;
  readonly kappa: ValueInterval;
  /** Position of the peak; null if the curve never falls. */
  readonly peakAt: ValueInterval | null;
}

/** Error probability of both tails together. It is smaller than the claimed 5 %, because the weights are estimates, too. */
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
 * Computes the intervals of a fitted curve. N / X = a + b(N − 1) + cN(N − 1) is linear in a = 1/λ, b = σ/λ and c = κ/λ. All levels have the
 * same relative error. With the curve's values as weights, this is an ordinary regression, so a has Student's interval. σ = b/a, κ = c/a
 * and the squared peak, (a − b)/c, are ratios with exact intervals by Fieller's theorem (1954): all r for which over − r · under may be 0.
 * Impossible values are cut off: negative shares, and a peak below 1.
 */
export function uslIntervals(points: readonly MeasuredThroughput[], usl: Usl): UslIntervals {
  const found = fitLeastSquares(
    points.map(({ at, perSecond }) => ({ at: [at - 1, at * (at - 1)], value: at / perSecond, weight: (uslRate(usl, at) / at) ** 2 })),
  );
  if (found === null) throw new TypeError('A curve has more levels than numbers.');
  const [a = 0, b = 0, c = 0] = found.coefficients;
  const covariance = (row: number, column: number): number => found.covariances[row]?.[column] ?? 0;
  const t = studentQuantile(found.freedom, TAIL_PROBABILITY);
  const [aa, bb, cc] = [covariance(0, 0), covariance(1, 1), covariance(2, 2)];
  const sigma = ratioInterval({ over: b, under: a, overVariance: bb, underVariance: aa, covariance: covariance(0, 1) }, t);
  const kappa = ratioInterval({ over: c, under: a, overVariance: cc, underVariance: aa, covariance: covariance(0, 2) }, t);
  const squaredPeak = ratioInterval(
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
    lambda: intervalAround(usl.lambda, { low: 1 / (a + t * Math.sqrt(aa)), high: slowest > 0 ? 1 / slowest : null }),
    sigma: intervalAround(usl.sigma, sigma),
    kappa: intervalAround(usl.kappa, kappa),
    peakAt:
      peak === null
        ? null
        : intervalAround(peak, {
            low: Math.max(1, Math.sqrt(Math.max(0, squaredPeak.low))),
            high: squaredPeak.high === null ? null : Math.max(1, Math.sqrt(Math.max(0, squaredPeak.high))),
          }),
  };
}

type IntervalEnds = Omit<ValueInterval, 'value'>;

/** Extends the interval to contain the value, which may be clamped to 0. */
function intervalAround(value: number, { low, high }: IntervalEnds): ValueInterval {
  return { value, low: Math.max(0, Math.min(value, low)), high: high === null ? null : Math.max(value, high) };
}

/**
 * Returns the ratios r with (over − r · under)² ≤ t² · its variance. They lie between the roots of a parabola, or are unbounded if `under`
 * may be 0.
 */
function ratioInterval({ over, under, overVariance, underVariance, covariance }: Pair, t: number): IntervalEnds {
  const square = under ** 2 - t ** 2 * underVariance;
  const middle = over * under - t ** 2 * covariance;
  const rest = over ** 2 - t ** 2 * overVariance;
  const discriminant = middle ** 2 - square * rest;
  if (square > 0) {
    const reach = Math.sqrt(Math.max(0, discriminant));
    return { low: (middle - reach) / square, high: (middle + reach) / square };
  }
  if (discriminant <= 0 || square === 0) return { low: 0, high: null };
  return { low: Math.max(0, (middle - Math.sqrt(discriminant)) / square), high: null };
}
