export interface Excess {
  readonly second: number;
  /** How much more than allowed happened in the block that begins there; negative when less. */
  readonly amount: number;
}

/**
 * The second from which a limit was missed: where the sum of what is over the allowance from there to the end is largest
 * (the turning point of a cumulative sum, Page 1954). Blocks are in order of time. null without blocks.
 */
export function missedFrom(blocks: readonly Excess[]): number | null {
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
