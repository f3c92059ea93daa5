/** Percentiles marked on a rarity axis. */
export const RARITY_MARKS = [50, 90, 99, 99.9, 99.99, 99.999] as const;

/** Returns −log10 of the share above a percentile: 1 for 90 %, 2 for 99 %. */
export function rarityOf(percentile: number): number {
  return percentile >= 100 ? Number.POSITIVE_INFINITY : -Math.log10(1 - percentile / 100);
}

interface RarityLine {
  readonly points: readonly { readonly percentile: number }[];
}

/** Returns the end of a rarity axis: the rarest percentile that more than one response exceeds. */
export function maxRarity(lines: readonly RarityLine[]): number {
  return Math.max(...lines.map(({ points }) => rarityOf(points.at(-2)?.percentile ?? 50)), 1);
}

/**
 * Returns the marks, from the most common one on, whose labels do not overlap on an axis of `width` pixels up to `rarest`. `widthOf`: width
 * of a label in pixels. `room`: space beyond the end; a label that needs more is moved left.
 */
export function chooseLabelledMarks(
  rarest: number,
  width: number,
  widthOf: (mark: number) => number,
  room = Number.POSITIVE_INFINITY,
): number[] {
  const shown: number[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const mark of RARITY_MARKS) {
    const half = widthOf(mark) / 2;
    const at = Math.min((rarityOf(mark) / rarest) * width, width + room - half);
    if (rarityOf(mark) > rarest + 1e-9 || at - half < end) continue;
    shown.push(mark);
    end = at + half;
  }
  return shown;
}
