/** Shares of answers that an axis of rarity is marked at. */
export const RARITY_MARKS = [50, 90, 99, 99.9, 99.99, 99.999] as const;

/** −log10 of the share beyond a percentile: 1 for 9 of 10, 2 for 99 of 100. */
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
