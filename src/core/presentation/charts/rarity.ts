/** Shares of answers that an axis of rarity is marked at. */
export const RARITY_MARKS = [50, 90, 99, 99.9, 99.99, 99.999] as const;

/** −log10 of the share beyond a percentile: 1 for 90 %, 2 for 99 %. */
export function rarityOf(percentile: number): number {
  return percentile >= 100 ? Number.POSITIVE_INFINITY : -Math.log10(1 - percentile / 100);
}

interface RarityLine {
  readonly points: readonly { readonly percentile: number }[];
}

/** How far such an axis reaches: to the rarest answers of which there is more than the one. */
export function rarestOf(lines: readonly RarityLine[]): number {
  return Math.max(...lines.map(({ points }) => rarityOf(points.at(-2)?.percentile ?? 50)), 1);
}

/**
 * The marks, the common ones first, whose labels stand beside each other without touching under an axis that is `width` pixels long and reaches to `rarest`. `widthOf`: of a
 * label, in the same pixels. `room`: a label that would reach further beyond the end of the axis is moved to the left.
 */
export function labelledMarks(rarest: number, width: number, widthOf: (mark: number) => number, room = Number.POSITIVE_INFINITY): number[] {
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
