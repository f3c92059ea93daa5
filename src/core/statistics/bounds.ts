/** Lanczos coefficients for g = 7, n = 9 (Godfrey 2001). The relative error is below 1e-13 for positive arguments. */
const LANCZOS_COEFFICIENTS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** Returns the natural logarithm of Γ(x), for x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const shifted = x - 1;
  const base = shifted + 7.5;
  let sum: number = LANCZOS_COEFFICIENTS[0];
  for (let index = 1; index < LANCZOS_COEFFICIENTS.length; index += 1) sum += (LANCZOS_COEFFICIENTS[index] ?? 0) / (shifted + index);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}

/**
 * Returns I_x(a, b), the probability that a beta-distributed value is at most x. a and b must be positive. Uses the continued fraction of
 * Abramowitz & Stegun 26.5.8, evaluated with Lentz's method (Numerical Recipes, 3rd ed., 6.4).
 */
export function incompleteBeta(a: number, b: number, x: number): number {
  return incompleteBetaWith(logReciprocalBeta(a, b), a, b, x);
}

/** Returns −ln B(a, b). */
const logReciprocalBeta = (a: number, b: number): number => logGamma(a + b) - logGamma(a) - logGamma(b);

function incompleteBetaWith(logFactor: number, a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logFactor + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges fast below the mean. Above it, the symmetry I_x(a, b) = 1 − I_{1−x}(b, a) is used.
  return x < (a + 1) / (a + b + 2) ? (front * continuedFraction(a, b, x)) / a : 1 - (front * continuedFraction(b, a, 1 - x)) / b;
}

/** Returns the x at which I_x(a, b) is `probability`, by bisection to 12 digits. */
export function inverseIncompleteBeta(a: number, b: number, probability: number): number {
  const logFactor = logReciprocalBeta(a, b);
  let low = 0;
  let high = 1;
  for (let round = 0; round < 400 && high - low > 1e-12 * high; round += 1) {
    const middle = (low + high) / 2;
    if (incompleteBetaWith(logFactor, a, b, middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const MIN_DENOMINATOR = 1e-300;

function continuedFraction(a: number, b: number, x: number): number {
  const awayFromZero = (value: number): number => (Math.abs(value) < MIN_DENOMINATOR ? MIN_DENOMINATOR : value);
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let result = d;
  // The number of terms grows with √max(a, b). For 1e9 requests, it is some ten thousand.
  for (let m = 1; m < 1_000_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    const change = d * c;
    result *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return result;
}

/** Two-sided 95 % quantiles of Student's t by degrees of freedom, from 1 on (NIST/SEMATECH e-Handbook, 1.3.6.7.2). */
const STUDENT_95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101,
] as const;

/**
 * Returns the half-width of a two-sided 95 % interval in standard errors. Beyond 18 degrees of freedom, returns the value for 18, which is
 * slightly too wide.
 */
export function student95(freedom: number): number {
  return STUDENT_95[Math.min(Math.max(1, Math.floor(freedom)), STUDENT_95.length) - 1] ?? STUDENT_95[0];
}

/**
 * Returns the half-width, in standard errors, of an interval that leaves out `outside` in both tails together: P(|T| > t) = I_x(ν/2, ½)
 * with x = ν / (ν + t²) (Abramowitz & Stegun 26.7.1).
 */
export function studentQuantile(freedom: number, outside: number): number {
  const x = inverseIncompleteBeta(freedom / 2, 0.5, outside);
  return Math.sqrt((freedom * (1 - x)) / x);
}

/** One-sided confidence that all decisions use. */
export const CONFIDENCE = 0.95;

/**
 * Returns the minimum number of requests with which a criterion on a share can pass. With no request over the limit, the exact upper bound
 * of the share is 1 − (1 − confidence)^(1/n), which must be within `allowance`. Examples: 59 for p95, 299 for p99, about 3/e for an error
 * rate e. Infinite for an allowance of 0, because no number of requests proves that none ever fails.
 */
export function minRequests(allowance: number): number {
  if (allowance <= 0) return Number.POSITIVE_INFINITY;
  if (allowance >= 1) return 1;
  return Math.ceil(Math.log(1 - CONFIDENCE) / Math.log1p(-allowance) - 1e-9);
}

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the exact one-sided bounds of the share `over / counted` (Clopper & Pearson 1934). Each bound is wrong with a probability of at
 * most 1 − confidence. Both numbers may be fractions, because clumping deflates them. Returns 0 to 1 if nothing was counted.
 */
export function shareBounds(over: number, counted: number, confidence: number = CONFIDENCE): Bounds {
  if (counted <= 0) return { low: 0, high: 1 };
  const miss = 1 - confidence;
  return {
    low: over <= 0 ? 0 : inverseIncompleteBeta(over, counted - over + 1, miss),
    high: over >= counted ? 1 : inverseIncompleteBeta(over + 1, counted - over, confidence),
  };
}
