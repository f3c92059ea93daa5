/** Time limits of one request in microseconds. What ends first counts; each is checked about a hundred times within its length. */
export interface TimeLimits {
  /** From dialling to the accepted connection, TLS included; Infinity for none of its own. */
  readonly connectUs: number;
  /** From the written request to the first byte of the answer; Infinity for none of its own. */
  readonly firstByteUs: number;
  /** From the start, connecting included, to the last byte. */
  readonly totalUs: number;
}

const SHORTEST_SWEEP_MS = 5;
const LONGEST_SWEEP_MS = 250;

/** How often all connections of a thread are looked at, so that no request needs a timer of its own. */
export function sweepIntervalMs(limits: TimeLimits): number {
  const shortestMs = Math.min(limits.connectUs, limits.firstByteUs, limits.totalUs) / 1_000;
  return Math.min(LONGEST_SWEEP_MS, Math.max(SHORTEST_SWEEP_MS, shortestMs / 100));
}
