import { incompleteBeta, student95 } from './bounds.ts';

export const MIN_SLOPE_VALUES = 5;
/** Two-sided 95 % quantile of the normal distribution. */
const Z95 = 1.959_964;

/**
 * Estimates the growth from one value to the next: the median of the slopes between all pairs, which is robust against outliers (Theil
 * 1950). Uses the distribution-free 95 % interval of Sen (1968). Returns null for fewer than {@link MIN_SLOPE_VALUES} values. Takes O(n²)
 * time.
 */
export function theilSen(values: readonly number[]): { value: number; low: number; high: number } | null {
  const n = values.length;
  if (n < MIN_SLOPE_VALUES) return null;
  const slopes: number[] = [];
  for (const [i, one] of values.entries()) {
    for (let j = i + 1; j < n; j += 1) slopes.push(((values[j] ?? 0) - one) / (j - i));
  }
  slopes.sort((a, b) => a - b);
  const margin = Z95 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const last = slopes.length - 1;
  const low = Math.max(0, Math.floor((slopes.length - margin) / 2));
  const high = Math.min(last, Math.ceil((slopes.length + margin) / 2));
  return { value: medianOf(slopes), low: slopes[low] ?? 0, high: slopes[high] ?? 0 };
}

/** Returns the median of sorted values; 0 if there are no values. */
export function medianOf(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? upper;
  return (lower + upper) / 2;
}

/** Returns the mean; NaN without values. */
export function meanOf(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** A value at an instant in seconds. */
export interface Reading {
  readonly second: number;
  readonly value: number;
}

export interface Trend {
  /** Slope of the fitted line, with the limits of its 95 % interval. */
  readonly perSecond: number;
  readonly low: number;
  readonly high: number;
  /** Mean of the first block of readings. `to`: that of the last block. Unlike the line, these are measured values. */
  readonly from: number;
  readonly to: number;
  /** Value of the line at the last reading. */
  readonly lineEnd: number;
  readonly seconds: number;
}

const MAX_BLOCKS = 20;
const MIN_BLOCKS = 6;
/**
 * Fits a line by least squares to the means of at most 20 blocks of neighbouring readings. Consecutive readings correlate, which would make
 * the interval far too narrow; means of long blocks hardly correlate. Returns null for fewer than 6 blocks, or for readings at a single
 * instant.
 */
export function findTrend(readings: readonly Reading[]): Trend | null {
  const blocks = averageBlocks(readings);
  const first = readings[0];
  const last = readings.at(-1);
  if (first === undefined || last === undefined || blocks.length < MIN_BLOCKS || last.second <= first.second) return null;
  const meanSecond = meanOf(blocks.map(({ second }) => second));
  const meanValue = meanOf(blocks.map(({ value }) => value));
  const spread = sum(blocks.map(({ second }) => (second - meanSecond) ** 2));
  const perSecond = sum(blocks.map(({ second, value }) => second * (value - meanValue))) / spread;
  const lineValueAt = (second: number): number => meanValue + perSecond * (second - meanSecond);
  const freedom = blocks.length - 2;
  const residuals = sum(blocks.map(({ second, value }) => (value - lineValueAt(second)) ** 2));
  const error = student95(freedom) * Math.sqrt(residuals / freedom / spread);
  return {
    perSecond,
    low: perSecond - error,
    high: perSecond + error,
    from: blocks[0]?.value ?? first.value,
    to: blocks.at(-1)?.value ?? last.value,
    lineEnd: lineValueAt(last.second),
    seconds: last.second - first.second,
  };
}

/**
 * Returns the seconds from the last reading until the line reaches a limit, with the ends of the interval. `latest` is null if the value
 * may never reach the limit. Returns null if the line does not grow.
 */
export function secondsToLimit(trend: Trend, limit: number): { expected: number; earliest: number; latest: number | null } | null {
  if (trend.perSecond <= 0) return null;
  const left = Math.max(0, limit - trend.lineEnd);
  return { expected: left / trend.perSecond, earliest: left / trend.high, latest: trend.low > 0 ? left / trend.low : null };
}

/** Returns whether the whole 95 % interval of the slope is above 0. */
export function isGrowing(trend: Trend): boolean {
  return trend.low > 0;
}

function averageBlocks(readings: readonly Reading[]): Reading[] {
  const size = Math.max(1, Math.ceil(readings.length / MAX_BLOCKS));
  const blocks: Reading[] = [];
  for (let start = 0; start < readings.length; start += size) {
    const block = readings.slice(start, start + size);
    // A short last block is left out, because it would weigh as much as a full one.
    if (block.length * 2 < size) continue;
    blocks.push({ second: meanOf(block.map(({ second }) => second)), value: meanOf(block.map(({ value }) => value)) });
  }
  return blocks;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A median with the ends of its 95 % interval, which are null if there are too few values. */
interface MedianWithEnds {
  readonly median: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Probability in each tail of a two-sided 95 % interval. */
const TAIL_PROBABILITY = 0.025;

/**
 * Returns the median with a distribution-free interval. The ends of the interval are two of the sorted values, chosen by the binomial
 * distribution, between which the true median lies with at least 95 % confidence (order statistics; Conover 1999, ch. 3.2). The interval
 * needs 6 values. Returns null if there are no values.
 */
export function medianWithEnds(values: readonly number[]): MedianWithEnds | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const place = lowestRank(sorted.length);
  return {
    median: medianOf(sorted),
    low: place === null ? null : (sorted[place - 1] ?? null),
    high: place === null ? null : (sorted[sorted.length - place] ?? null),
  };
}

/** Returns the largest rank k, from 1, with P(heads < k) = 1 − I½(k, n − k + 1) ≤ 2.5 % for n fair coins. */
function lowestRank(n: number): number | null {
  let found: number | null = null;
  for (let place = 1; place <= n / 2; place += 1) {
    if (1 - incompleteBeta(place, n - place + 1, 0.5) > TAIL_PROBABILITY) break;
    found = place;
  }
  return found;
}
