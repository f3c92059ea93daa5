/** Fewer values than this have no interval worth the name. */
export const LEAST_FOR_SLOPE = 5;
/** Of the normal distribution, two-sided 95 %. */
const Z95 = 1.959_964;

/**
 * How much a value grows from one place to the next: the median of the slopes between all pairs, which a few outliers cannot bend
 * (Theil 1950), with the distribution-free 95 % interval of Sen (1968). null for fewer than {@link LEAST_FOR_SLOPE} values. Takes time with the square of
 * their number.
 */
export function theilSen(values: readonly number[]): { value: number; low: number; high: number } | null {
  const n = values.length;
  if (n < LEAST_FOR_SLOPE) return null;
  const slopes: number[] = [];
  for (const [i, one] of values.entries()) {
    for (let j = i + 1; j < n; j += 1) slopes.push(((values[j] ?? 0) - one) / (j - i));
  }
  slopes.sort((a, b) => a - b);
  const margin = Z95 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const last = slopes.length - 1;
  const low = Math.max(0, Math.floor((slopes.length - margin) / 2));
  const high = Math.min(last, Math.ceil((slopes.length + margin) / 2));
  return { value: medianOf(slopes), low: slopes[low] ?? 0, high: slopes[high] ?? 0 };
}

/** Of sorted values; 0 of none. */
export function medianOf(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? upper;
  return (lower + upper) / 2;
}
