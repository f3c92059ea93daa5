import { studentQuantile } from '#core/statistics/beta.ts';
import { type Between, uslIntervals, type UslIntervals } from './intervals.ts';
import type { LevelSet, LoadLevel } from './levels.ts';
import { fitUsl, type Measured, type Usl, uslRate } from './usl.ts';

/** What rises in proportion until something is full: min(slope · N, most), the bounds of operational analysis (Denning and Buzen, 1978). */
interface HardLimit {
  /** Done a second for each one more, while there is room. */
  readonly slope: number;
  /** Done a second when it is full, and what 95 of 100 such means would lie within. */
  readonly most: number;
  readonly low: number;
  readonly high: number;
  /** Where the two meet: most / slope. */
  readonly fullAt: number;
}

/** So many levels have to be on either side, or the corner is anywhere. */
const LEAST_ON_A_SIDE = 2;
const PARAMETERS = 2;
/** Outside of the interval, on both sides together: less than of the 95 % that is told, since the corner was chosen by how well it goes. */
const LEFT_OUT = 0.025;

/**
 * The corner that goes through measurements best, by relative deviations: all ways to call the lighter levels rising and the heavier ones full
 * are tried. null where there are too few levels.
 */
function fitLimit(points: readonly Measured[]): HardLimit | null {
  const counts = [...new Set(points.map(({ at }) => at))].sort((one, other) => one - other);
  let best: { readonly limit: HardLimit; readonly squares: number } | null = null;
  for (const first of counts.slice(LEAST_ON_A_SIDE, counts.length - LEAST_ON_A_SIDE + 1)) {
    const rising = points.filter(({ at }) => at < first).map(({ at, perSecond }) => perSecond / at);
    const full = points.filter(({ at }) => at >= first).map(({ perSecond }) => perSecond);
    const slope = relativeMean(rising);
    const most = relativeMean(full);
    const limit = { slope, most, fullAt: most / slope };
    const squares = points.reduce((sum, { at, perSecond }) => sum + (perSecond / limitRate(limit, at) - 1) ** 2, 0);
    const freedom = points.length - PARAMETERS;
    const error = (most * studentQuantile(freedom, LEFT_OUT) * Math.sqrt(squares / freedom)) / Math.sqrt(full.length);
    if (best === null || squares < best.squares) best = { limit: { ...limit, low: most - error, high: most + error }, squares };
  }
  return best?.limit ?? null;
}

export function limitRate({ slope, most }: Pick<HardLimit, 'slope' | 'most'>, at: number): number {
  return Math.min(slope * at, most);
}

/** The value from which the relative deviations are least: Σv² / Σv, for Σ(v / m − 1)². */
function relativeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0) / values.reduce((sum, value) => sum + value, 0);
}

/** Why no curve is told. */
export const REFUSALS = ['doubted', 'failures', 'tooFew', 'flat', 'moreThanInProportion', 'notSaturating', 'misses'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** What a curve says at a level that was measured. */
export interface Residual {
  readonly name: string;
  readonly at: number;
  /** Mean of its runs. */
  readonly measured: number;
  readonly curve: number;
  /** measured / curve − 1. */
  readonly off: number;
}

/** How what is done grows with how many there are at a time. */
export type Scaling =
  | {
      readonly kind: 'curve';
      readonly usl: Usl;
      readonly intervals: UslIntervals;
      /** Where it does most; null where that lies beyond what was measured, or nowhere. */
      readonly peak: { readonly at: Between; readonly perSecond: number } | null;
      readonly residuals: readonly Residual[];
      /** Root of the mean square of the relative deviations, with three numbers taken off for the curve's own. */
      readonly usualOff: number;
    }
  | { readonly kind: 'limit'; readonly limit: HardLimit; readonly residuals: readonly Residual[]; readonly usualOff: number }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly numbers: LevelNumbers; readonly worst: Residual | null };

/** Different numbers of users or connections: all that were measured, and those that do not count, each by the first reason that is true of it. */
export interface LevelNumbers {
  readonly measured: number;
  /** Nothing got done with them in one of its runs. */
  readonly idle: number;
  /** More failed than `MOST_FAILED`. */
  readonly failed: number;
  /** The line, or what made the load, was busy. */
  readonly doubted: number;
}

/** A curve of three numbers goes through few levels whatever they are (Gunther asks for half a dozen). */
export const LEAST_LEVELS = 6;
/** What fails fast is no work done. */
export const MOST_FAILED = 0.01;
/** Rates that differ by no more are the same. */
export const FLAT = 1.12;
/** The first level does so much less for each than the best one: it was not warm, or answers share work. */
const BETTER_TOGETHER = 1.1;
/** With this much of what as many alone would do, nothing shows yet of what will bound it. */
const IN_PROPORTION = 0.8;
/** Beyond these the curve is not that of these measurements. */
const MOST_OFF = 0.15;
const MOST_USUAL_OFF = 0.07;
/** A corner is told instead of a curve where it goes so much nearer, and the curve is not near anyway. */
const CORNER_NEARER = 0.6;
const NEAR = 0.02;
/** A peak is told as far as so many times beyond the highest level. */
const BEYOND = 1.25;

/** Reads a set of levels: the curve of the universal scalability law, or the corner of a hard limit, or why neither may be told. */
export function scalingOf({ levels }: LevelSet): Scaling {
  const whole = levels.filter(({ perSecond }) => perSecond.every((rate) => rate > 0));
  const healthy = whole.filter(isHealthy);
  const sure = whole.filter(isSound);
  const numbers: LevelNumbers = {
    measured: countsOf(levels),
    idle: countsOf(levels) - countsOf(whole),
    failed: countsOf(whole) - countsOf(healthy),
    doubted: countsOf(healthy) - countsOf(sure),
  };
  const refused = (why: Refusal, worst: Residual | null = null): Scaling => ({ kind: 'refused', why, numbers, worst });
  if (countsOf(sure) >= 2 && sure.length === healthy.length && isFlat(sure)) return refused('flat');
  if (countsOf(sure) < LEAST_LEVELS) {
    if (countsOf(healthy) >= LEAST_LEVELS) return refused('doubted');
    return refused(countsOf(levels) >= LEAST_LEVELS ? 'failures' : 'tooFew');
  }
  const each = sure.map((level) => meanRate(level) / level.at);
  if (Math.max(...each) > BETTER_TOGETHER * (each[0] ?? 0)) return refused('moreThanInProportion');
  const points = sure.flatMap(({ at, perSecond }) => perSecond.map((rate): Measured => ({ at, perSecond: rate })));
  const usl = fitUsl(points);
  if (usl === null) return refused('tooFew');
  const last = sure.at(-1)?.at ?? 1;
  const curve = residualsOf(sure, (at) => uslRate(usl, at));
  const usualOff = usual(points, (at) => uslRate(usl, at), 3);
  const corner = cornerOf(sure, points, usualOff);
  if (corner !== null) return corner;
  const worst = curve.reduce((one, other) => (Math.abs(other.off) > Math.abs(one.off) ? other : one));
  if (usualOff > MOST_USUAL_OFF || Math.abs(worst.off) > MOST_OFF) return refused('misses', worst);
  if (uslRate(usl, last) > IN_PROPORTION * usl.lambda * last) return refused('notSaturating');
  const intervals = uslIntervals(points, usl);
  const { peakAt } = intervals;
  const isMeasured = peakAt !== null && peakAt.value <= BEYOND * last;
  return {
    kind: 'curve',
    usl,
    intervals,
    peak: isMeasured ? { at: peakAt, perSecond: uslRate(usl, peakAt.value) } : null,
    residuals: curve,
    usualOff,
  };
}

function cornerOf(levels: readonly LoadLevel[], points: readonly Measured[], curveOff: number): Scaling | null {
  const limit = fitLimit(points);
  if (limit === null || curveOff <= NEAR) return null;
  const residuals = residualsOf(levels, (at) => limitRate(limit, at));
  const usualOff = usual(points, (at) => limitRate(limit, at), 2);
  const isNear = usualOff <= Math.min(MOST_USUAL_OFF, CORNER_NEARER * curveOff) && residuals.every(({ off }) => Math.abs(off) <= MOST_OFF);
  return isNear ? { kind: 'limit', limit, residuals, usualOff } : null;
}

export function meanRate({ perSecond }: Pick<LoadLevel, 'perSecond'>): number {
  return perSecond.reduce((sum, rate) => sum + rate, 0) / perSecond.length;
}

function residualsOf(levels: readonly LoadLevel[], rateAt: (at: number) => number): Residual[] {
  return levels.map((level) => {
    const measured = meanRate(level);
    const curve = rateAt(level.at);
    return { name: level.name, at: level.at, measured, curve, off: measured / curve - 1 };
  });
}

function usual(points: readonly Measured[], rateAt: (at: number) => number, parameters: number): number {
  const squares = points.reduce((sum, { at, perSecond }) => sum + (perSecond / rateAt(at) - 1) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, points.length - parameters));
}

function isFlat(levels: readonly LoadLevel[]): boolean {
  const rates = levels.map(meanRate);
  const [first, last] = [levels[0]?.at ?? 1, levels.at(-1)?.at ?? 1];
  return last >= 2 * first && Math.max(...rates) <= FLAT * Math.min(...rates);
}

function isHealthy({ failedShare }: Pick<LoadLevel, 'failedShare'>): boolean {
  return failedShare <= MOST_FAILED;
}

/** Whether hardly anything failed at a level, and its rate is surely the server's. */
export function isSound(level: Pick<LoadLevel, 'failedShare' | 'isDoubted'>): boolean {
  return isHealthy(level) && !level.isDoubted;
}

function countsOf(levels: readonly LoadLevel[]): number {
  return new Set(levels.map(({ at }) => at)).size;
}
