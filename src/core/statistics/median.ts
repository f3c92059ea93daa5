import { incompleteBeta } from './beta.ts';
import { medianOf } from './trend.ts';

/** A median with the limits of its 95 % interval, which are null if there are too few values. */
export interface MedianWithEnds {
  readonly median: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Probability in each tail of a two-sided 95 % interval. */
const TAIL_PROBABILITY = 0.025;

/**
 * Returns the median with a distribution-free interval. Its limits are two of the sorted values, chosen by the binomial distribution, between which the true
 * median lies with at least 95 % confidence (order statistics; Conover 1999, ch. 3.2). The interval needs 6 values. Returns null without values.
 */
export function medianWithEnds(values: readonly number[]): MedianWithEnds | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const place = lowestPlace(sorted.length);
  return {
    median: medianOf(sorted),
    low: place === null ? null : (sorted[place - 1] ?? null),
    high: place === null ? null : (sorted[sorted.length - place] ?? null),
  };
}

/** Returns the largest rank k, from 1, with P(heads < k) = 1 − I½(k, n − k + 1) ≤ 2.5 % for n fair coins. */
function lowestPlace(n: number): number | null {
  let found: number | null = null;
  for (let place = 1; place <= n / 2; place += 1) {
    if (1 - incompleteBeta(place, n - place + 1, 0.5) > TAIL_PROBABILITY) break;
    found = place;
  }
  return found;
}
