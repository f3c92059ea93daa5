export interface Arrival {
  readonly atMs: number;
  readonly bytes: number;
}

export interface Transfer {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Throughput {
  /** Payload in 10^6 bit/s. */
  readonly megabits: number;
  /** Whether the line was the limit; otherwise `megabits` is a lower bound. */
  readonly isFull: boolean;
  /** Duration of the measured part. */
  readonly seconds: number;
}

/** Fewer bytes give no usable measurement. */
const MIN_BYTES = 65_536;
/** Share of the bytes that is left out at the start: TCP slow start lowers their rate, and full token buckets raise it. */
const SKIPPED_SHARE = 0.25;
/** Below this share of busy time, the line was not the limit. */
const BUSY_SHARE = 0.8;

/**
 * Returns the rate after the first quarter of the bytes, or null if too little arrived. The line was full if transfers cover most of that time and the rate
 * is measurable. `arrivals` must be in order of time.
 */
export function throughputOf(arrivals: readonly Arrival[], transfers: readonly Transfer[], mostMegabits: number): Throughput | null {
  const all = arrivals.reduce((sum, { bytes }) => sum + bytes, 0);
  if (all < MIN_BYTES) return null;
  let before = 0;
  const start = arrivals.find(({ bytes }) => (before += bytes) >= all * SKIPPED_SHARE);
  const end = arrivals.at(-1);
  if (start === undefined || end === undefined || end.atMs <= start.atMs) return null;
  const lengthMs = end.atMs - start.atMs;
  const megabits = ((all - before) * 8) / 1_000 / lengthMs;
  const isBusy = coveredMs(transfers, start.atMs, end.atMs) >= BUSY_SHARE * lengthMs;
  return { megabits: Math.min(megabits, mostMegabits), isFull: isBusy && megabits < mostMegabits, seconds: lengthMs / 1_000 };
}

/** Returns how much of a span the transfers cover; they may overlap. */
function coveredMs(transfers: readonly Transfer[], fromMs: number, toMs: number): number {
  let covered = 0;
  let until = fromMs;
  for (const transfer of [...transfers].sort((one, other) => one.fromMs - other.fromMs)) {
    const begin = Math.max(until, transfer.fromMs);
    const end = Math.min(toMs, transfer.toMs);
    if (end <= begin) continue;
    covered += end - begin;
    until = end;
  }
  return covered;
}
