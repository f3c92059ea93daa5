import type { Point } from '#core/result/schema.ts';
import type { ChartData, ChartSeries, Span } from '#core/presentation/charts/types.ts';
import type { SeriesLook } from '#core/presentation/charts/looks.ts';

/** A run whose lines are drawn in the same charts as other runs. */
export interface OverlaidRun {
  readonly id: string;
  readonly name: string;
  readonly look: SeriesLook;
  readonly points: readonly Point[];
}

const MAX_SPANS = 600;

/**
 * Returns charts of runs that are aligned at their start: throughput, p95 in ms (the highest in each interval), and failures per second.
 */
export function overlayData(runs: readonly OverlaidRun[]): { throughput: ChartData; p95: ChartData; failed: ChartData; toSecond: number } {
  const end = Math.max(1, ...runs.map(({ points }) => endSecondOf(points.at(-1))));
  const widest = Math.max(1, ...runs.flatMap(({ points }) => points.map(({ width }) => width)));
  const width = Math.ceil(Math.max(widest, end / MAX_SPANS));
  const spans: Span[] = Array.from({ length: Math.ceil(end / width) }, (_, index) => ({ second: index * width, width }));
  const getData = (value: (points: readonly Point[]) => number | null): ChartData => ({
    spans,
    series: runs.map((run) => formatLine(run, spans, width, value)),
  });
  return {
    // A span is drawn at its middle, so the axis must extend to the end of the last span.
    toSecond: spans.length * width,
    throughput: getData((points) => perSecond(points, width, ({ completed }) => completed)),
    p95: getData((points) => maxOrNull(points.flatMap(({ p95 }) => p95 ?? []))),
    failed: getData((points) => perSecond(points, width, ({ failed }) => failed)),
  };
}

function formatLine(
  { id, name, look, points }: OverlaidRun,
  spans: readonly Span[],
  width: number,
  value: (points: readonly Point[]) => number | null,
): ChartSeries {
  const bySpan = new Map<number, Point[]>();
  for (const point of points) {
    const index = Math.floor(point.second / width);
    bySpan.set(index, [...(bySpan.get(index) ?? []), point]);
  }
  return { id, name, label: name, look, shape: 'line', values: spans.map((_, index) => value(bySpan.get(index) ?? [])) };
}

/**
 * Returns the rate over the seconds that the points cover, or null if the points cover less than half of the span, as at the end of a run.
 */
function perSecond(points: readonly Point[], spanSeconds: number, count: (point: Point) => number): number | null {
  const seconds = points.reduce((sum, { width }) => sum + width, 0);
  return seconds >= spanSeconds / 2 ? points.reduce((sum, point) => sum + count(point), 0) / seconds : null;
}

function maxOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}

function endSecondOf(point: Point | undefined): number {
  return point ? point.second + point.width : 0;
}
