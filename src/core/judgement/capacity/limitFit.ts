import { studentQuantile } from '#core/statistics/student.ts';
import type { Measured } from './usl.ts';

/** What rises in proportion until something is full: min(slope · N, most), the bounds of operational analysis (Denning and Buzen, 1978). */
export interface HardLimit {
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
export function fitLimit(points: readonly Measured[]): HardLimit | null {
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
