import { studentQuantile } from '#core/statistics/bounds.ts';
import { type ValueInterval, fitUsl, type MeasuredThroughput, type Usl, uslIntervals, type UslIntervals, uslRate } from './usl.ts';
import type { LevelSet, LoadLevel } from './levels.ts';

/**
 * Throughput that grows in proportion up to a limit: min(slope · N, most), the bounds of operational analysis (Denning and Buzen, 1978).
 */
interface HardLimit {
  /** Throughput added by each user or connection below the limit. */
  readonly slope: number;
  /** Throughput at the limit, with its 95 % interval. */
  readonly most: number;
  readonly low: number;
  readonly high: number;
  /** Number of users or connections at which the limit is reached: most / slope. */
  readonly fullAt: number;
}

/** Minimum number of levels on either side of the corner. With fewer, the position of the corner is undetermined. */
const MIN_LEVELS_PER_SIDE = 2;
const PARAMETER_COUNT = 2;
/** Error probability of both tails together. It is smaller than the claimed 5 %, because the corner was chosen by the best fit. */
const TAIL_PROBABILITY = 0.025;

/**
 * Fits the corner with the smallest relative deviations by trying all divisions into growing and saturated levels. Returns null if there
 * are too few levels.
 */
function fitLimit(points: readonly MeasuredThroughput[]): HardLimit | null {
  const counts = [...new Set(points.map(({ at }) => at))].sort((one, other) => one - other);
  let best: { readonly limit: HardLimit; readonly squares: number } | null = null;
  for (const first of counts.slice(MIN_LEVELS_PER_SIDE, counts.length - MIN_LEVELS_PER_SIDE + 1)) {
    const rising = points.filter(({ at }) => at < first).map(({ at, perSecond }) => perSecond / at);
    const full = points.filter(({ at }) => at >= first).map(({ perSecond }) => perSecond);
    const slope = relativeMean(rising);
    const most = relativeMean(full);
    const limit = { slope, most, fullAt: most / slope };
    const squares = points.reduce((sum, { at, perSecond }) => sum + (perSecond / limitRate(limit, at) - 1) ** 2, 0);
    const freedom = points.length - PARAMETER_COUNT;
    const error = (most * studentQuantile(freedom, TAIL_PROBABILITY) * Math.sqrt(squares / freedom)) / Math.sqrt(full.length);
    if (best === null || squares < best.squares) best = { limit: { ...limit, low: most - error, high: most + error }, squares };
  }
  return best?.limit ?? null;
}

export function limitRate({ slope, most }: Pick<HardLimit, 'slope' | 'most'>, at: number): number {
  return Math.min(slope * at, most);
}

/** Returns the value m that minimizes Σ(v / m − 1)²: m = Σv² / Σv. */
function relativeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0) / values.reduce((sum, value) => sum + value, 0);
}

/** Reasons why no curve is shown. */
export const FIT_REFUSALS = ['doubted', 'failures', 'tooFew', 'flat', 'moreThanInProportion', 'notSaturating', 'misses'] as const;
export type Refusal = (typeof FIT_REFUSALS)[number];

/** Deviation of the curve at a measured level. */
export interface Residual {
  readonly name: string;
  readonly at: number;
  /** Mean of the runs at the level. */
  readonly measured: number;
  readonly curve: number;
  /** Relative deviation: measured / curve − 1. */
  readonly deviation: number;
}

/** How throughput scales with the number of users or connections. */
export type Scaling =
  | {
      readonly kind: 'curve';
      readonly usl: Usl;
      readonly intervals: UslIntervals;
      /** Peak of the curve; null if it lies beyond the measured levels, or if there is none. */
      readonly peak: { readonly at: ValueInterval; readonly perSecond: number } | null;
      readonly residuals: readonly Residual[];
      /** Relative residual standard error with n − 3 degrees of freedom (three fitted parameters). */
      readonly usualOff: number;
    }
  | { readonly kind: 'limit'; readonly limit: HardLimit; readonly residuals: readonly Residual[]; readonly usualOff: number }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly numbers: LevelNumbers; readonly worst: Residual | null };

/** Numbers of distinct levels: those measured, and those excluded, each by the first applicable reason. */
export interface LevelNumbers {
  readonly measured: number;
  /** Levels at which a run completed nothing. */
  readonly idle: number;
  /** Levels at which more than `MAX_FAILED_SHARE` of the requests failed. */
  readonly failed: number;
  /** Levels at which the network path or the load generator was overloaded. */
  readonly doubted: number;
}

/** Minimum number of levels: a curve with three parameters fits any handful of points (Gunther asks for half a dozen). */
export const MIN_LEVELS = 6;
/** Maximum share of failures. Failures are fast because they do no work. */
export const MAX_FAILED_SHARE = 0.01;
/** Maximum ratio at which two rates count as equal. */
export const MAX_FLAT_RATIO = 1.12;
/**
 * The curve does not apply if the best throughput per user is more than this many times that of the first level. Causes are a cold start or
 * shared work.
 */
const MIN_SUPERLINEAR_RATIO = 1.1;
/** Minimum share of proportional throughput at which throughput counts as unlimited. */
const MIN_PROPORTIONAL_RATIO = 0.8;
/** Maximum relative deviation of an acceptable curve, and maximum standard error. */
const MAX_DEVIATION = 0.15;
const MAX_STANDARD_ERROR = 0.07;
/** Maximum ratio of the corner's error to the curve's at which the corner replaces a curve whose error is not negligible. */
const MAX_CORNER_ERROR_RATIO = 0.6;
const MAX_NEGLIGIBLE_ERROR = 0.02;
/** Maximum ratio of a peak to the highest level at which the peak is shown. */
const MAX_PEAK_RATIO = 1.25;

/**
 * Analyses a set of levels. Returns the curve of the universal scalability law, the corner of a hard limit, or the reason why neither is
 * shown.
 */
export function fitScaling({ levels }: LevelSet): Scaling {
  const whole = levels.filter(({ perSecond }) => perSecond.every((rate) => rate > 0));
  const healthy = whole.filter(isHealthy);
  const sure = whole.filter(isSound);
  const numbers: LevelNumbers = {
    measured: countRequests(levels),
    idle: countRequests(levels) - countRequests(whole),
    failed: countRequests(whole) - countRequests(healthy),
    doubted: countRequests(healthy) - countRequests(sure),
  };
  const refuseFit = (why: Refusal, worst: Residual | null = null): Scaling => ({ kind: 'refused', why, numbers, worst });
  if (countRequests(sure) >= 2 && sure.length === healthy.length && isFlat(sure)) return refuseFit('flat');
  if (countRequests(sure) < MIN_LEVELS) {
    if (countRequests(healthy) >= MIN_LEVELS) return refuseFit('doubted');
    return refuseFit(countRequests(levels) >= MIN_LEVELS ? 'failures' : 'tooFew');
  }
  const each = sure.map((level) => meanRate(level) / level.at);
  if (Math.max(...each) > MIN_SUPERLINEAR_RATIO * (each[0] ?? 0)) return refuseFit('moreThanInProportion');
  const points = sure.flatMap(({ at, perSecond }) => perSecond.map((rate): MeasuredThroughput => ({ at, perSecond: rate })));
  const usl = fitUsl(points);
  if (usl === null) return refuseFit('tooFew');
  const last = sure.at(-1)?.at ?? 1;
  const curve = listResiduals(sure, (at) => uslRate(usl, at));
  const usualOff = usualDeviation(points, (at) => uslRate(usl, at), 3);
  const corner = findCorner(sure, points, usualOff);
  if (corner !== null) return corner;
  const worst = curve.reduce((one, other) => (Math.abs(other.deviation) > Math.abs(one.deviation) ? other : one));
  if (usualOff > MAX_STANDARD_ERROR || Math.abs(worst.deviation) > MAX_DEVIATION) return refuseFit('misses', worst);
  if (uslRate(usl, last) > MIN_PROPORTIONAL_RATIO * usl.lambda * last) return refuseFit('notSaturating');
  const intervals = uslIntervals(points, usl);
  const { peakAt } = intervals;
  const isMeasured = peakAt !== null && peakAt.value <= MAX_PEAK_RATIO * last;
  return {
    kind: 'curve',
    usl,
    intervals,
    peak: isMeasured ? { at: peakAt, perSecond: uslRate(usl, peakAt.value) } : null,
    residuals: curve,
    usualOff,
  };
}

function findCorner(levels: readonly LoadLevel[], points: readonly MeasuredThroughput[], curveOff: number): Scaling | null {
  const limit = fitLimit(points);
  if (limit === null || curveOff <= MAX_NEGLIGIBLE_ERROR) return null;
  const residuals = listResiduals(levels, (at) => limitRate(limit, at));
  const usualOff = usualDeviation(points, (at) => limitRate(limit, at), 2);
  const isNear =
    usualOff <= Math.min(MAX_STANDARD_ERROR, MAX_CORNER_ERROR_RATIO * curveOff) &&
    residuals.every(({ deviation: off }) => Math.abs(off) <= MAX_DEVIATION);
  return isNear ? { kind: 'limit', limit, residuals, usualOff } : null;
}

export function meanRate({ perSecond }: Pick<LoadLevel, 'perSecond'>): number {
  return perSecond.reduce((sum, rate) => sum + rate, 0) / perSecond.length;
}

function listResiduals(levels: readonly LoadLevel[], rateAt: (at: number) => number): Residual[] {
  return levels.map((level) => {
    const measured = meanRate(level);
    const curve = rateAt(level.at);
    return { name: level.name, at: level.at, measured, curve, deviation: measured / curve - 1 };
  });
}

function usualDeviation(points: readonly MeasuredThroughput[], rateAt: (at: number) => number, parameters: number): number {
  const squares = points.reduce((sum, { at, perSecond }) => sum + (perSecond / rateAt(at) - 1) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, points.length - parameters));
}

function isFlat(levels: readonly LoadLevel[]): boolean {
  const rates = levels.map(meanRate);
  const [first, last] = [levels[0]?.at ?? 1, levels.at(-1)?.at ?? 1];
  return last >= 2 * first && Math.max(...rates) <= MAX_FLAT_RATIO * Math.min(...rates);
}

function isHealthy({ failedShare }: Pick<LoadLevel, 'failedShare'>): boolean {
  return failedShare <= MAX_FAILED_SHARE;
}

/** Returns whether hardly any request failed at a level and the load generator was not overloaded. */
export function isSound(level: Pick<LoadLevel, 'failedShare' | 'isDoubted'>): boolean {
  return isHealthy(level) && !level.isDoubted;
}

function countRequests(levels: readonly LoadLevel[]): number {
  return new Set(levels.map(({ at }) => at)).size;
}
