import { chooseDrawnIndexes, isGap, middleOf } from './drawnIndexes.ts';
import type { ChartData } from './types.ts';

/** Lower and upper edge of a layer in a span; null if unknown. */
type Edges = readonly [number, number] | null;

/** Stacks layers in order. An unknown value is a gap in its own layer and does not raise the layers above. */
export function stackLayers(layers: readonly (readonly (number | null)[])[]): Edges[][] {
  const length = layers.reduce((longest, layer) => Math.max(longest, layer.length), 0);
  const heights = Array.from({ length }, () => 0);
  return layers.map((layer) =>
    heights.map((height, index): Edges => {
      const value = layer[index] ?? null;
      if (value === null) return null;
      heights[index] = height + value;
      return [height, height + value];
    }),
  );
}

/** One drawn column of a chart. For each series, it has a value or the edges of a layer. Times are in seconds of the run. */
export interface DrawnRow {
  /** Middle of the span, used for lines. */
  readonly x: number;
  /** Range used for an area: the span and the omitted ones up to the next drawn span. */
  readonly from: number;
  readonly to: number;
  readonly values: Readonly<Record<string, number | Edges>>;
}

/** Returns the rows of a chart, at most `max` plus an empty row in each gap, which keeps lines from crossing the gap. */
export function buildDrawnRows(data: ChartData, max?: number): DrawnRow[] {
  const { spans, series } = data;
  const stacked = series.filter(({ shape }) => shape === 'stacked');
  const layers = stackLayers(stacked.map(({ values }) => values));
  const columns = series.map((one) => {
    const layer = layers[stacked.indexOf(one)];
    return { id: one.id, at: (index: number): number | Edges => (layer ? (layer[index] ?? null) : (one.values[index] ?? null)) };
  });
  const rows: DrawnRow[] = [];
  const drawn = chooseDrawnIndexes(spans, series, max);
  drawn.forEach((index, place) => {
    const span = spans[index];
    if (!span) return;
    const next = drawn[place + 1];
    const shore = next === undefined ? undefined : findLastBeforeGap(data, index, next);
    const end = span.second + span.width;
    const to = shore ?? (next === undefined ? end : (spans[next]?.second ?? end));
    rows.push({ x: middleOf(span), from: span.second, to, values: Object.fromEntries(columns.map(({ id, at }) => [id, at(index)])) });
    if (shore !== undefined) rows.push({ x: shore, from: shore, to: shore, values: {} });
  });
  return rows;
}

/** Returns the end of the last span before the first gap between two indexes; undefined if there is no gap. */
function findLastBeforeGap({ spans }: ChartData, from: number, to: number): number | undefined {
  for (let index = from + 1; index <= to; index++) {
    const earlier = spans[index - 1];
    const later = spans[index];
    if (earlier && later && isGap(earlier, later)) return earlier.second + earlier.width;
  }
  return undefined;
}

/** Returns the index of the span that contains a second, or else of the nearest one within its own width; −1 if there is none. */
export function indexAt(spans: ChartData['spans'], second: number): number {
  let low = 0;
  let high = spans.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((spans[middle]?.second ?? 0) <= second) low = middle;
    else high = middle - 1;
  }
  const distance = (index: number): number => {
    const span = spans[index];
    return span ? Math.max(span.second - second, second - span.second - span.width, 0) - span.width : Number.POSITIVE_INFINITY;
  };
  const nearest = distance(low + 1) < distance(low) ? low + 1 : low;
  return distance(nearest) <= 0 ? nearest : -1;
}
