/** Returns the median, or NaN if there are no values. For an even number of values, the median is the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sortedValues = values.toSorted((a, b) => a - b);
  const middle = sortedValues.length / 2;
  return sortedValues.length % 2 === 1
    ? (sortedValues[Math.floor(middle)] ?? Number.NaN)
    : ((sortedValues[middle - 1] ?? Number.NaN) + (sortedValues[middle] ?? Number.NaN)) / 2;
}

/**
 * Returns the nearest-rank percentile of ascending values: the smallest value that at least `percentile` percent of the values do not
 * exceed.
 */
export function percentileOf(sorted: Float64Array, percentile: number): number {
  const rank = Math.ceil((percentile / 100) * sorted.length);
  return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)] ?? Number.NaN;
}

/** Values by round. A missing value is null. */
export type ByRound = readonly (number | null)[];

/** Returns the median of the values that are not null, or null if there are none. */
export function medianOf(values: ByRound): number | null {
  const knownValues = values.filter((value) => value !== null);
  return knownValues.length === 0 ? null : median(knownValues);
}

/**
 * Returns the median of the ratios within each round. This cancels disturbances that affect both values, such as a busy neighbour. Returns
 * null if no round has both values.
 */
export function medianRatio(these: ByRound, those: ByRound): number | null {
  return medianOf(
    these.map((value, round) => {
      const other = those[round] ?? null;
      return value === null || other === null || other === 0 ? null : value / other;
    }),
  );
}
