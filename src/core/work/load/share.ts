/**
 * The part of `total` whole things that the `index`th of `count` workers does. Every worker computes its own part without
 * asking the others; the parts sum to `total` and differ by at most 1, the first workers taking the rest.
 * Throws a RangeError for an index outside [0, count).
 */
export function share(total: number, index: number, count: number): number {
  if (!(index >= 0 && index < count)) throw new RangeError(`There is no part ${index} of ${count}.`);
  return Math.floor(total / count) + (index < total % count ? 1 : 0);
}
