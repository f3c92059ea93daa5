import { z } from 'zod';
import { listJudgedStages } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { responseTimes, serviceTimes } from '#core/measurement/cellFigures.ts';
import { addInto, type Histogram, createTotalHistogram, percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { milliseconds } from '#core/statistics/latency.ts';
import { addToRows, startOfRowUs } from '#core/statistics/timeRows.ts';
import type { Window } from '#core/measurement/window.ts';

/** Distribution of the times in a run: over the whole run, and by second. */
export const distributionSchema = z.strictObject({
  /**
   * Percentile lines of the counted stages, from the fastest to the slowest response. If the counted stages had no response, lines of all
   * stages.
   */
  lines: z.array(
    z.strictObject({ kind: z.enum(['response', 'service']), points: z.array(z.strictObject({ percentile: z.number(), ms: z.number() })) }),
  ),
  /** Number of responses of all stages by second and duration. `edgesMs`: limits of the rows, one more than there are rows. */
  heatmap: z.strictObject({
    columns: z.array(z.strictObject({ second: z.number(), width: z.number(), counts: z.array(z.int()) })),
    edgesMs: z.array(z.number()),
  }),
});
export type Distribution = z.infer<typeof distributionSchema>;

/** Maximum number of columns of the heat map. Narrower columns could not be distinguished. */
const MAX_COLUMNS = 120;
/** Number of points of a percentile line per power of ten of the rarest share. */
const POINTS_PER_DECADE = 20;

/** Collects the distribution of times in a run, over the whole run and by second. Windows must be in order of time. */
export function createDistributionCollector(plan: Plan): { add(window: Window): void; end(): Distribution } {
  const counted = listJudgedStages(plan);
  // Used if no counted stage has a response.
  const others = { response: createTotalHistogram(), service: createTotalHistogram() };
  const counting = { response: createTotalHistogram(), service: createTotalHistogram() };
  const seconds: SecondRows[] = [];
  const add = ({ second, width, cells }: Window): void => {
    const rows = new Map<number, number>();
    for (const cell of cells) {
      const found = { response: responseTimes(cell), service: serviceTimes(cell) };
      for (const kind of ['response', 'service'] as const) {
        const histogram = found[kind];
        if (histogram === undefined) continue;
        addInto((counted.includes(cell.stage) ? counting : others)[kind], histogram);
        if (kind === 'response') addToRows(rows, histogram);
      }
    }
    seconds.push({ second, width, rows });
  };
  const end = (): Distribution => {
    const shown = counting.response.totalCount > 0 ? counting : others;
    // In the model `connections`, service and response times are equal.
    const kinds = plan.load.model === 'connections' ? (['response'] as const) : (['response', 'service'] as const);
    return {
      lines: kinds.flatMap((kind) => (shown[kind].totalCount === 0 ? [] : [{ kind, points: linePoints(shown[kind]) }])),
      heatmap: buildHeatmap(seconds),
    };
  };
  return { add, end };
}

/** Returns the median, and points evenly spaced on the axis −log10(1 − share) up to the slowest response: 1 of n lies at log10(n). */
function linePoints(times: Histogram): Distribution['lines'][number]['points'] {
  const count = times.totalCount;
  const steps = Math.ceil(Math.log10(count) * POINTS_PER_DECADE);
  const points = Array.from({ length: steps }, (_, step) => 100 * (1 - 10 ** (-step / POINTS_PER_DECADE)));
  return [...points, 50, 100]
    .toSorted((one, other) => one - other)
    .map((percentile) => ({ percentile, ms: milliseconds(valueAtRank(times, percentileRank(percentile, count))) }));
}

/** Responses of a window by row. Rows are counted from the row of 1 µs. */
interface SecondRows {
  readonly second: number;
  readonly width: number;
  readonly rows: ReadonlyMap<number, number>;
}

function buildHeatmap(seconds: readonly SecondRows[]): Distribution['heatmap'] {
  const used = new Set(seconds.flatMap(({ rows }) => [...rows.keys()]));
  const last = seconds.at(-1);
  if (last === undefined || used.size === 0) return { columns: [], edgesMs: [] };
  const lowest = Math.min(...used);
  const rowCount = Math.max(...used) - lowest + 1;
  const end = last.second + last.width;
  const widest = seconds.reduce((most, { width }) => Math.max(most, width), 0);
  const width = Math.max(widest, Math.ceil(end / MAX_COLUMNS), 1);
  const columns = Array.from({ length: Math.ceil(end / width) }, (_, index) => ({
    second: index * width,
    width,
    counts: Array.from({ length: rowCount }, () => 0),
  }));
  for (const { second, rows } of seconds) {
    const counts = columns[Math.floor(second / width)]?.counts ?? [];
    for (const [row, count] of rows) counts[row - lowest] = (counts[row - lowest] ?? 0) + count;
  }
  return { columns, edgesMs: Array.from({ length: rowCount + 1 }, (_, row) => milliseconds(startOfRowUs(lowest + row))) };
}
