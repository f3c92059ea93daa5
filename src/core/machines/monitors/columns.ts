import { getOrSetOwn } from '#core/base/ownMembers.ts';
import { z } from 'zod';
import type { MonitorPoint } from './result.ts';

/** Points in columns: each name stands once, however many points there are. */
export const columnsSchema = z.strictObject({
  second: z.array(z.number()),
  width: z.array(z.number()),
  values: z.record(z.string(), z.array(z.number().nullable())),
});
export type Columns = z.infer<typeof columnsSchema>;

/** Significant digits of what is kept: more than is drawn, and a third of the room. */
const DIGITS = 5;

export function columnsOf(points: readonly MonitorPoint[]): Columns {
  const values: Record<string, (number | null)[]> = {};
  for (const [row, point] of points.entries()) {
    for (const [key, value] of Object.entries(point.values)) {
      const column = getOrSetOwn(values, key, () => Array.from({ length: points.length }, () => null));
      column[row] = Number(value.toPrecision(DIGITS));
    }
  }
  return { second: points.map(({ second }) => rounded(second)), width: points.map(({ width }) => rounded(width)), values };
}

/** Milliseconds are enough for a time axis. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}

export function pointsOf({ second, width, values }: Columns): MonitorPoint[] {
  const columns = Object.entries(values);
  return second.map((start, row) => ({
    second: start,
    width: width[row] ?? 1,
    values: Object.fromEntries(
      columns.flatMap(([key, column]) => {
        const value = column[row];
        return value === null || value === undefined ? [] : [[key, value]];
      }),
    ),
  }));
}
