import { LOWEST_US, SHAPE } from './buckets.ts';
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
const ROW_OF_BUCKET = Int8Array.from({ length: SHAPE.countsArrayLength }, (_, index) =>
  rowOf(Math.max(LOWEST_US, SHAPE.valueFromIndex(index))),
);

/** Adds to each row how many times of a histogram lie in it. */
export function addToRows(rows: Map<number, number>, histogram: Histogram): void {
  forEachPartly(histogram, (index, count) => {
    const row = ROW_OF_BUCKET[index] ?? 0;
    rows.set(row, (rows.get(row) ?? 0) + count);
  });
}
