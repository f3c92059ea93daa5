import { getOwn } from '#core/base/ownMembers.ts';
import { buildDrawnRows } from '#core/presentation/charts/drawnRows.ts';
import type { ChartData } from '#core/presentation/charts/types.ts';

/** Maximum number of points per line. Drawing more takes Recharts longer than a frame, and more could hardly be distinguished. */
const MAX_POINTS = 300;

/** A row for Recharts: one value for each line, or none in a gap. */
export type PlotRow = { readonly second: number; readonly [line: `line${number}`]: number | null };

/** Returns the key of a line in the rows, from the line's index among the series. */
export const lineKey = (index: number): `line${number}` => `line${index}`;

/**
 * Returns at most 300 rows that preserve the peaks of each series. A stacked layer has two rows per span, for its start and its end,
 * because slopes would hide a single bad second. Zeros of layers, and of lines on a logarithmic axis, are not drawn.
 */
export function plotRows(data: ChartData, isLogarithmic: boolean): PlotRow[] {
  const isStacked = data.series.some(({ shape }) => shape === 'stacked');
  const rows = buildDrawnRows(data, isStacked ? MAX_POINTS / 2 : MAX_POINTS).flatMap(({ x, from, to, values }) => {
    const entries = data.series.map(({ id }, index) => {
      const value = getOwn(values, id) ?? null;
      const height = value === null || typeof value === 'number' ? value : value[1] - value[0];
      return [lineKey(index), height === 0 && (isStacked || isLogarithmic) ? null : height] as const;
    });
    const lines: Omit<PlotRow, 'second'> = Object.fromEntries(entries);
    return (isStacked ? [from, to] : [x]).map((second): PlotRow => ({ ...lines, second }));
  });
  const last = rows.at(-1);
  // A row is added, because Recharts draws no line from a single row.
  return last === undefined ? [] : [...rows, { second: last.second }];
}
