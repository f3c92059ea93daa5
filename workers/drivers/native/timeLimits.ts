/** Time limits of one request in microseconds. The first to pass ends the request. */
export interface TimeLimits {
  /** From the start of the connection attempt until it is established, including TLS; Infinity if there is no limit. */
  readonly connectUs: number;
  /** From the written request to the first byte of the response; Infinity if there is no limit. */
  readonly firstByteUs: number;
  /** From the start, including connecting, to the last byte. */
  readonly totalUs: number;
}

export function minLimitUs({ connectUs, firstByteUs, totalUs }: TimeLimits): number {
  return Math.min(connectUs, firstByteUs, totalUs);
}
