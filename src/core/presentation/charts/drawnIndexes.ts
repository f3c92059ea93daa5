import { largestTriangles } from './largestTriangles.ts';
import type { ChartSeries, Span } from './types.ts';

export const MAX_DRAWN_POINTS = 600;
/** Clocks and folds are exact; this only absorbs the rounding of fractions of seconds. */
const TOUCHING_SECONDS = 1e-6;

export const middleOf = ({ second, width }: Span): number => second + width / 2;

/** True when nothing was measured between two spans that follow each other. */
export function isGap(earlier: Span, later: Span): boolean {
  return later.second - (earlier.second + earlier.width) > TOUCHING_SECONDS;
}

/**
 * Which spans are drawn: all of them, or at most `max` that keep the look of every series and each gap that is wide enough to be
 * seen. Sorted.
 */
export function drawnIndexes(spans: readonly Span[], series: readonly Pick<ChartSeries, 'values'>[], max = MAX_DRAWN_POINTS): number[] {
  if (spans.length <= max) return spans.map((_, index) => index);
  const each = Math.max(2, Math.floor(max / Math.max(1, series.length)));
  const kept = new Set<number>();
  for (const { values } of series) for (const index of indexesOf(spans, values, each)) kept.add(index);
  return [...kept].sort((a, b) => a - b);
}

/** A stretch of indexes [start, end) without a gap: all known, or all unknown. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly known: boolean;
}

function indexesOf(spans: readonly Span[], values: readonly (number | null)[], budget: number): number[] {
  const stretches = stretchesOf(spans, values);
  // Each known stretch needs its two ends, each unknown one a mark: with more of them, gaps are finer than the eye.
  const needed = stretches.reduce((sum, { known }) => sum + (known ? 2 : 1), 0);
  if (needed > budget) return highestOfBuckets(values, budget);
  const spare = budget - needed;
  return stretches.flatMap(({ start, end, known }) => {
    if (!known) return [start];
    const share = 2 + Math.floor((spare * (end - start)) / spans.length);
    const xs = spans.slice(start, end).map(middleOf);
    const ys = values.slice(start, end).map((value) => value ?? 0);
    return largestTriangles(xs, ys, share).map((index) => start + index);
  });
}

function stretchesOf(spans: readonly Span[], values: readonly (number | null)[]): Stretch[] {
  const stretches: Stretch[] = [];
  let start = 0;
  for (let index = 1; index <= spans.length; index++) {
    const before = spans[index - 1];
    const span = spans[index];
    const known = values[index - 1] != null;
    if (span && before && !isGap(before, span) && (values[index] != null) === known) continue;
    stretches.push({ start, end: index, known });
    start = index;
  }
  return stretches;
}

function highestOfBuckets(values: readonly (number | null)[], buckets: number): number[] {
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
