import { BUCKET_COUNT, MIN_VALUE_US, lowestUsOf } from './buckets.ts';
import { forEachPartly, type Histogram } from './histogram.ts';

/** Number of rows per power of ten. Each row begins 47 % above the previous one. */
const ROWS_PER_DECADE = 6;

/** Returns the row of a time in microseconds. Row 0 begins at 1 µs. */
export function rowOf(timeUs: number): number {
  return Math.floor(Math.log10(timeUs) * ROWS_PER_DECADE);
}

/** Returns the time in microseconds at which a row begins. */
export function startOfRowUs(row: number): number {
  return 10 ** (row / ROWS_PER_DECADE);
}

/** Row of each bucket, computed in advance. A logarithm for each bucket of each second of an hour would be too slow. */
const ROW_OF_BUCKET = Int8Array.from({ length: BUCKET_COUNT }, (_, index) => rowOf(Math.max(MIN_VALUE_US, lowestUsOf(index))));

/** Counts of all rows, reused and 0 between calls. */
const ROW_COUNTS = new Float64Array((ROW_OF_BUCKET.at(-1) ?? 0) + 1);

export function addToRows(rows: Map<number, number>, histogram: Histogram): void {
  forEachPartly(histogram, (index, count) => {
    const row = ROW_OF_BUCKET[index] ?? 0;
    ROW_COUNTS[row] = (ROW_COUNTS[row] ?? 0) + count;
  });
  for (let row = 0; row < ROW_COUNTS.length; row += 1) {
    const count = ROW_COUNTS[row] ?? 0;
    if (count === 0) continue;
    rows.set(row, (rows.get(row) ?? 0) + count);
    ROW_COUNTS[row] = 0;
  }
}
