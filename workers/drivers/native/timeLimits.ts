/** Time limits of one request in microseconds. What ends first counts. */
export interface TimeLimits {
  /** From dialling to the accepted connection, TLS included; Infinity for none of its own. */
  readonly connectUs: number;
  /** From the written request to the first byte of the answer; Infinity for none of its own. */
  readonly firstByteUs: number;
  /** From the start, connecting included, to the last byte. */
  readonly totalUs: number;
}

/** The one that may end a request first. */
export function shortestUs({ connectUs, firstByteUs, totalUs }: TimeLimits): number {
  return Math.min(connectUs, firstByteUs, totalUs);
}
