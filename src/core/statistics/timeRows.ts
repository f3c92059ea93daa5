import { BUCKETS, LOWEST_US, lowestUsOf } from './buckets.ts';
import { forEachPartly, type Histogram } from './histogram.ts';

/** Rows of times for each power of ten: each begins a bit less than half as high again as the one below. */
const ROWS_OF_A_DECADE = 6;

/** The row of a time in microseconds, counted from that of 1 µs. */
export function rowOf(timeUs: number): number {
  return Math.floor(Math.log10(timeUs) * ROWS_OF_A_DECADE);
}

/** The time in microseconds at which a row begins. */
export function startOfRowUs(row: number): number {
  return 10 ** (row / ROWS_OF_A_DECADE);
}

/** A logarithm for each bucket of each second of an hour would take longer than all that is read from them. */
const ROW_OF_BUCKET = Int8Array.from({ length: BUCKETS }, (_, index) => rowOf(Math.max(LOWEST_US, lowestUsOf(index))));

/** All rows that there can be; empty whenever nobody counts. */
const COUNTED = new Float64Array((ROW_OF_BUCKET.at(-1) ?? 0) + 1);

/** Adds to each row how many times of a histogram lie in it. */
export function addToRows(rows: Map<number, number>, histogram: Histogram): void {
  forEachPartly(histogram, (index, count) => {
    const row = ROW_OF_BUCKET[index] ?? 0;
    COUNTED[row] = (COUNTED[row] ?? 0) + count;
  });
  for (let row = 0; row < COUNTED.length; row += 1) {
    const count = COUNTED[row] ?? 0;
    if (count === 0) continue;
    rows.set(row, (rows.get(row) ?? 0) + count);
    COUNTED[row] = 0;
  }
}
