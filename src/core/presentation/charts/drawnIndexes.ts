import type { ChartSeries, Span } from './types.ts';

/**
 * Returns at most `count` indexes that preserve the shape of the line, in particular its peaks, by Largest-Triangle-Three-Buckets. Always
 * keeps the first and the last. Source: S. Steinarsson, "Downsampling Time Series for Visual Representation" (2013), section 4.2.
 */
export function chooseByLargestTriangle(xs: readonly number[], ys: readonly number[], count: number): number[] {
  const length = Math.min(xs.length, ys.length);
  if (length <= count || length <= 2) return Array.from({ length }, (_, index) => index);
  if (count < 2) return [0];
  if (count === 2) return [0, length - 1];
  const kept = [0];
  const buckets = count - 2;
  const edge = (bucket: number): number => 1 + Math.floor((bucket * (length - 2)) / buckets);
  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = edge(bucket);
    const end = edge(bucket + 1);
    const nextEnd = Math.min(length, bucket + 2 > buckets ? length : edge(bucket + 2));
    const next = meanOf(xs, ys, end, Math.max(nextEnd, end + 1));
    const previous = kept.at(-1) ?? 0;
    kept.push(findFarthest(xs, ys, previous, next, start, end));
  }
  kept.push(length - 1);
  return kept;
}

interface PlotPoint {
  readonly x: number;
  readonly y: number;
}

function meanOf(xs: readonly number[], ys: readonly number[], start: number, end: number): PlotPoint {
  let x = 0;
  let y = 0;
  const stop = Math.min(end, xs.length);
  for (let index = start; index < stop; index++) {
    x += xs[index] ?? 0;
    y += ys[index] ?? 0;
  }
  return { x: x / (stop - start), y: y / (stop - start) };
}

/** Returns the index in [start, end) that forms the largest triangle with the previously kept point and the mean of the next bucket. */
function findFarthest(xs: readonly number[], ys: readonly number[], previous: number, next: PlotPoint, start: number, end: number): number {
  const x0 = xs[previous] ?? 0;
  const y0 = ys[previous] ?? 0;
  let best = start;
  let largest = -1;
  for (let index = start; index < end; index++) {
    const area = Math.abs((x0 - next.x) * ((ys[index] ?? 0) - y0) - (x0 - (xs[index] ?? 0)) * (next.y - y0));
    if (area > largest) {
      largest = area;
      best = index;
    }
  }
  return best;
}

export const MAX_DRAWN_POINTS = 600;
/** Tolerance for rounded fractions of seconds. Clocks and merged points are exact. */
const TOUCHING_SECONDS = 1e-6;

export const middleOf = ({ second, width }: Span): number => second + width / 2;

/** Returns whether there are unmeasured seconds between two consecutive spans. */
export function isGap(earlier: Span, later: Span): boolean {
  return later.second - (earlier.second + earlier.width) > TOUCHING_SECONDS;
}

/**
 * Returns the sorted indexes of the spans to draw: all of them, or at most `max` that preserve the shape of every series and each visible
 * gap.
 */
export function chooseDrawnIndexes(
  spans: readonly Span[],
  series: readonly Pick<ChartSeries, 'values'>[],
  max = MAX_DRAWN_POINTS,
): number[] {
  if (spans.length <= max) return spans.map((_, index) => index);
  const each = Math.max(2, Math.floor(max / Math.max(1, series.length)));
  const kept = new Set<number>();
  for (const { values } of series) for (const index of listIndexes(spans, values, each)) kept.add(index);
  return [...kept].sort((a, b) => a - b);
}

/** Indexes [start, end) of values that are all known or all unknown. */
interface IndexRange {
  readonly start: number;
  readonly end: number;
  readonly known: boolean;
}

function listIndexes(spans: readonly Span[], values: readonly (number | null)[], budget: number): number[] {
  const ranges = listRanges(spans, values);
  // Each known range needs its two ends, and each unknown range needs a mark. If there are more ranges than fit, gaps are too small to see.
  const needed = ranges.reduce((sum, { known }) => sum + (known ? 2 : 1), 0);
  if (needed > budget) return findBucketMaxima(values, budget);
  const spare = budget - needed;
  return ranges.flatMap(({ start, end, known }) => {
    if (!known) return [start];
    const share = 2 + Math.floor((spare * (end - start)) / spans.length);
    const xs = spans.slice(start, end).map(middleOf);
    const ys = values.slice(start, end).map((value) => value ?? 0);
    return chooseByLargestTriangle(xs, ys, share).map((index) => start + index);
  });
}

function listRanges(spans: readonly Span[], values: readonly (number | null)[]): IndexRange[] {
  const ranges: IndexRange[] = [];
  let start = 0;
  for (let index = 1; index <= spans.length; index++) {
    const before = spans[index - 1];
    const span = spans[index];
    const known = values[index - 1] != null;
    if (span && before && !isGap(before, span) && (values[index] != null) === known) continue;
    ranges.push({ start, end: index, known });
    start = index;
  }
  return ranges;
}

function findBucketMaxima(values: readonly (number | null)[], buckets: number): number[] {
  const kept: number[] = [];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = Math.floor((bucket * values.length) / buckets);
    const end = Math.floor(((bucket + 1) * values.length) / buckets);
    let best = start;
    for (let index = start; index < end; index++) if ((values[index] ?? -1) > (values[best] ?? -1)) best = index;
    if (end > start) kept.push(best);
  }
  return kept;
}
