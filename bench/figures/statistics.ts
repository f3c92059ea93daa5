/** The middle of the values (the mean of the two in the middle of an even number); NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Exact percentile of values in ascending order: the smallest that at least `percentile` percent of them do not exceed (nearest rank). */
export function percentileOf(sorted: Float64Array, percentile: number): number {
  const rank = Math.ceil((percentile / 100) * sorted.length);
  return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)] ?? Number.NaN;
}

/** Values by round; a round in which there is none holds null. */
export type ByRound = readonly (number | null)[];

/** Median of the values that there are; null when there is none. */
export function medianOf(values: ByRound): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
}

/**
 * Median over the rounds of the ratio within each round: what both had to share in one minute, a busy neighbour for instance,
 * cancels out. Null when they have no round in common.
 */
export function medianRatio(these: ByRound, those: ByRound): number | null {
  return medianOf(
    these.map((value, round) => {
      const other = those[round] ?? null;
      return value === null || other === null || other === 0 ? null : value / other;
    }),
  );
}
