import { type Bounds, shareBounds } from '#core/statistics/bounds.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';

/** Draws a sample in order, deterministic by seed. */
export function sampleOf<One>(all: readonly One[], count: number, seed: number): One[] {
  const drawn = all
    .map((one, index) => ({ one, index, at: uniformAt(seed, index) }))
    .toSorted((one, other) => one.at - other.at)
    .slice(0, count);
  return drawn.toSorted((one, other) => one.index - other.index).map(({ one }) => one);
}

/** Returns the 95 % confidence interval of a share (Clopper and Pearson). */
export const intervalOf = (seen: number, counted: number): Bounds => shareBounds(seen, counted, 0.975);

/** “73.1 to 79.2 %”. */
export function intervalWords(seen: number, counted: number): string {
  const { low, high } = intervalOf(seen, counted);
  return `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`;
}
