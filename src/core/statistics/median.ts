import { incompleteBeta } from './beta.ts';
import { medianOf } from './trend.ts';

/** A median with the ends of its 95 % interval; null ends where there are too few values for one. */
export interface MedianWithEnds {
  readonly median: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** On each side of a two-sided interval of 95 %. */
const OUTSIDE = 0.025;

/**
 * The median of values in any order, with its distribution-free interval: two of the sorted values, chosen by the binomial distribution, between which
 * the true median lies with at least 95 % confidence, whatever the shape (order statistics; Conover 1999, ch. 3.2). It takes 6 values. null for none.
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

/** The highest place, from 1, below which fewer than so many of n fair coins fall with a probability of at most 2.5 %: P(heads < k) = 1 − I½(k, n − k + 1). */
function lowestPlace(n: number): number | null {
  let found: number | null = null;
  for (let place = 1; place <= n / 2; place += 1) {
    if (1 - incompleteBeta(place, n - place + 1, 0.5) > OUTSIDE) break;
    found = place;
  }
  return found;
}
