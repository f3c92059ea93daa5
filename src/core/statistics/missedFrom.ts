export interface Excess {
  readonly second: number;
  /** Violations in the block that begins at this second, minus those allowed. May be negative. */
  readonly amount: number;
}

/**
 * Returns the second from which a criterion failed: the start of the tail with the largest sum of excess (turning point of a cumulative sum, Page 1954).
 * Blocks are in order of time. Returns null without blocks.
 */
export function failingFrom(blocks: readonly Excess[]): number | null {
  let best: number | null = null;
  let bestSum = 0;
  let sum = 0;
  for (const { second, amount } of blocks.toReversed()) {
    sum += amount;
    if (best === null || sum >= bestSum) {
      best = second;
      bestSum = sum;
    }
  }
  return best;
}
